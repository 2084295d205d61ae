// greenbox diff A.dump.json B.dump.json
#include "base/message.h"
#include "cli/verb.h"
#include "io/dump_diff.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace gb::cli {
namespace {

class DiffVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("A", m_a, "a stage dump (\"here\" in the answer)")->required();
        app.add_option("B", m_b, "another (\"there\")")->required();
        app.add_option("--tolerance", m_tolerance,
                       "relative difference that numbers of the calibrated and converted stages may have")
            ->check(CLI::Range(0.0, 1.0))
            ->capture_default_str();
        app.footer("Exit status: 0 the same; 1 they differ; 2 a file cannot be read.");
    }

    int run(const Surroundings& s) override
    {
        const auto a = io::readDump(m_a);
        if (!a)
            return s.console.fail(a.error());
        const auto b = io::readDump(m_b);
        if (!b)
            return s.console.fail(b.error());
        const auto stages = io::diffDumps(*a, *b, m_tolerance);
        if (stages.empty()) {
            s.console.out << "the same\n";
            return kDone;
        }
        std::size_t count = 0;
        for (const io::StageDifferences& stage : stages) {
            s.console.out << stage.stage << '\n';
            for (const std::string& entry : stage.entries)
                s.console.out << "  " << entry << '\n';
            count += stage.entries.size();
        }
        s.console.out << base::say("{0} differences in {1} of the stages", count, stages.size()) << '\n';
        return kRefused;
    }

private:
    std::string m_a;
    std::string m_b;
    double m_tolerance = 0.0;
};

} // namespace

std::unique_ptr<Verb> makeDiffVerb()
{
    return std::make_unique<DiffVerb>();
}

} // namespace gb::cli
