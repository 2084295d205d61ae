// One verb of the command line.
//
// Thread: the main thread.
#pragma once

#include "cli/command_line.h"

#include <memory>
#include <string_view>

namespace CLI {
class App;
}

namespace gb::cli {

/// What a verb gets to run with.
struct Surroundings {
    const Console& console;
    const Hooks& hooks;
    std::stop_token stop;
    bool progress = false;
    /// The work that the verb's options and the user's Ctrl-C make.
    [[nodiscard]] base::Work work() const { return workOf(stop, progress, console.err); }
};

class Verb {
public:
    virtual ~Verb() = default;
    /// Adds its arguments and options; they are filled in before run().
    virtual void declare(CLI::App& app) = 0;
    /// Returns the exit status.
    virtual int run(const Surroundings& surroundings) = 0;
};

std::unique_ptr<Verb> makeRunVerb();
std::unique_ptr<Verb> makeExplainVerb();
std::unique_ptr<Verb> makeExportVerb();
std::unique_ptr<Verb> makeObserveVerb();
std::unique_ptr<Verb> makeDiffVerb();
std::unique_ptr<Verb> makeOpsVerb();
std::unique_ptr<Verb> makeNumbersVerb();

struct VerbEntry {
    const char* name;
    const char* summary;
    std::unique_ptr<Verb> (*make)();
};

} // namespace gb::cli
