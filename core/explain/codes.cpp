#include "explain/codes.h"

#include <algorithm>
#include <array>

namespace gb::explain {
namespace {

struct Code {
    std::string_view code;
    const char* verdict;
    const char* advice;
};

constexpr std::array kCodes = {
    Code{"R1", "not supported", "write a rule for this op, or leave it in float"},
    Code{"R2", "not supported", "write the model with the spelling that has a rule"},
    Code{"R3", "problem", "export in the other mode (strict), or use rules that go by the op"},
    Code{"R4", "excluded", "widen the setting, or add one that reaches this node"},
    Code{"R5", "by design", ""},
    Code{"R6", "by design", ""},
    Code{"R7", "not supported", "cast the tensor to float32 before this op, or leave the op in float"},
    Code{"R8", "problem", "use a smaller number"},
    Code{"R9", "blocked", "label the op before it, then this one follows"},
    Code{"R10", "problem", "export so that these ops lie in the top graph"},
    Code{"R11", "not supported", "decompose the op when exporting"},
    Code{"R12", "problem", "label a node that holds a single tensor"},
    Code{"R13", "excluded", "use a setting that the quantizer reads"},
    Code{"R14", "not supported", ""},
    Code{"R15", "by design", ""},
    Code{"R16", "problem", "resolve the error first"},
    Code{"R17", "not recorded", "record the run anew"},
    Code{"R18", "by design", ""},
    Code{"O1", "by design", ""},
    Code{"O2", "by design", ""},
    Code{"O3", "by design", ""},
    Code{"O4", "problem", "label the value that is written instead of the buffer"},
    Code{"O5", "problem", "label the nodes that take the parts out of the tuple"},
    Code{"O6", "problem", "pass the tensor by position"},
    Code{"C1", "by design", ""},
    Code{"C2", "by design", ""},
    Code{"C3", "by design", ""},
    Code{"C4", "by design", ""},
};

/// A concrete obstacle says more than "marked already", and that more than "looked for another pattern".
constexpr std::array<std::string_view, 13> kRank = {"R16", "R8", "R7", "R14", "R3", "R5", "R4",
                                                    "R15", "R6", "R9", "R11", "R2", "R1"};

const Code* find(std::string_view code)
{
    const auto found = std::ranges::find(kCodes, code, &Code::code);
    return found == kCodes.end() ? nullptr : &*found;
}

} // namespace

const char* verdictOf(std::string_view code)
{
    const Code* known = find(code);
    return known ? known->verdict : "";
}

base::Message adviceFor(std::string_view code)
{
    const Code* known = find(code);
    return known && *known->advice ? base::message(known->advice) : base::Message();
}

int rankOf(std::string_view code)
{
    return static_cast<int>(std::ranges::find(kRank, code) - kRank.begin());
}

} // namespace gb::explain
