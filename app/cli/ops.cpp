// greenbox ops
#include "cli/verb.h"
#include "ops/listing.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace gb::cli {
namespace {

class OpsVerb final : public Verb {
public:
    void declare(CLI::App&) override {}

    int run(const Surroundings& s) override
    {
        s.console.out << ops::kernelListing();
        s.console.out.flush();
        return kDone;
    }
};

} // namespace

std::unique_ptr<Verb> makeOpsVerb()
{
    return std::make_unique<OpsVerb>();
}

} // namespace gb::cli
