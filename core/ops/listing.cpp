#include "ops/listing.h"

#include "ops/kernels/families.h"

#include <algorithm>

namespace gb::ops {
namespace {

constexpr const char* kHead = R"(# Ops that can be run

Calibration, the outputs of a run and the folding of constants need a kernel for every op of the graph. These are the
kernels, family by family, as `greenbox ops` prints them from the table. An op without a kernel does not keep a model from
being loaded, labelled and prepared; a run stops at it and names it.

float32 is computed as torch computes it. float16 and bfloat16 are computed in float32 and rounded once; float64 and
integers are computed in their own type. An op whose name ends in `_` writes to its first argument.
)";

std::string sectionOf(const Family& family)
{
    std::vector<std::string_view> targets;
    for (const KernelRow& row : family.rows)
        targets.push_back(row.target);
    std::ranges::sort(targets);
    std::string out = "\n## " + std::string(family.name) + "\n\n";
    for (const std::string_view target : targets)
        out += "* `" + std::string(target) + "`\n";
    return out;
}

} // namespace

std::string kernelListing()
{
    std::string out = kHead;
    for (const Family& family : kernelFamilies())
        out += sectionOf(family);
    return out;
}

} // namespace gb::ops
