#include "cli/command_line.h"

#include "cli/verb.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <ostream>

namespace gb::cli {
namespace {

constexpr std::array kVerbs = {
    VerbEntry{"run", "run the whole flow on a model and print a summary", makeRunVerb},
    VerbEntry{"explain", "say why nodes have no label, and which settings reached nothing", makeExplainVerb},
    VerbEntry{"export", "draw the graph at stages of the flow", makeExportVerb},
    VerbEntry{"observe", "run observers over arrays and print their states and qparams", makeObserveVerb},
    VerbEntry{"diff", "say what differs between two stage dumps", makeDiffVerb},
    VerbEntry{"ops", "print the ops that can be run, as Markdown", makeOpsVerb},
    VerbEntry{"numbers", "errors, gains, storage, qparams, batches and observers side by side, as CSV or JSON",
              makeNumbersVerb},
};

} // namespace

bool isCommandLine(const std::vector<std::string>& arguments)
{
    if (arguments.empty())
        return false;
    const std::string& first = arguments.front();
    return first == "-h" || first == "--help" || first == "--version"
           || std::ranges::any_of(kVerbs, [&](const VerbEntry& v) { return first == v.name; });
}

int runCommandLine(const std::vector<std::string>& arguments, const Console& console, const Hooks& hooks)
{
    CLI::App app("Greenbox shows PT2E quantization step by step. Without a verb it opens the window.", "greenbox");
    app.set_version_flag("--version", std::string("greenbox ") + GREENBOX_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 1 the flow refused, the dumps differ, or stopped; 2 bad usage or an unreadable file.");
    std::vector<std::pair<CLI::App*, std::unique_ptr<Verb>>> verbs;
    bool progress = false;
    for (const VerbEntry& entry : kVerbs) {
        CLI::App* sub = app.add_subcommand(entry.name, entry.summary);
        auto verb = entry.make();
        verb->declare(*sub);
        sub->add_flag("--progress", progress, "print progress lines on standard error");
        verbs.emplace_back(sub, std::move(verb));
    }
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend()); // CLI11 takes them from the end
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError& e) {
        // help and version are "errors" of status 0
        const bool asked = app.exit(e, console.out, console.err) == 0;
        return asked ? kDone : kUnusable;
    }
    for (const auto& [sub, verb] : verbs)
        if (sub->parsed()) {
            const Interrupt interrupt;
            return verb->run({console, hooks, interrupt.token(), progress});
        }
    return kUnusable;
}

} // namespace gb::cli
