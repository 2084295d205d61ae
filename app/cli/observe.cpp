// greenbox observe I.npz --cases C.json [--outputs O.npz]
#include "base/message.h"
#include "cli/verb.h"
#include "io/npz.h"
#include "io/observe_cases.h"

#include <CLI/CLI.hpp>

#include <map>
#include <ostream>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

class ObserveVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("I", m_arrays, "the arrays (.npz)")->required();
        app.add_option("--cases", m_cases, "the cases: observer, args and names of arrays (JSON)")->required();
        app.add_option("--outputs", m_outputs, "write what the fake quantizes returned (.npz)");
    }

    int run(const Surroundings& s) override
    {
        const auto results = observe(s.work());
        if (!results)
            return s.console.fail(results.error());
        if (!m_outputs.empty()) {
            std::vector<std::pair<std::string, ir::Tensor>> outputs;
            for (std::size_t i = 0; i < results->size(); ++i)
                if ((*results)[i].output)
                    outputs.emplace_back(say("out.{0}", i), *(*results)[i].output);
            if (const base::Status written = io::writeNpz(m_outputs, outputs); !written)
                return s.console.fail(written.error());
        }
        s.console.out << io::observeAnswers(*results);
        s.console.out.flush();
        return kDone;
    }

private:
    [[nodiscard]] Result<std::vector<quant::ObserveResult>> observe(const base::Work& work) const
    {
        GB_ASSIGN(const auto cases, io::readObserveCases(m_cases));
        GB_ASSIGN(auto read, io::readNpz(m_arrays));
        const std::map<std::string, ir::Tensor> arrays(read.begin(), read.end());
        std::vector<quant::ObserveResult> out;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            work.report(static_cast<int>(i * 1000 / cases.size()), "observe");
            std::vector<ir::Tensor> inputs;
            for (const std::string& name : cases[i].inputs) {
                const auto found = arrays.find(name);
                if (found == arrays.end())
                    return Error{ErrorCode::NotFound, say("no array \"{0}\" in {1}, one expected", name, m_arrays),
                                 say("{0}: [{1}].inputs", m_cases, i)};
                inputs.push_back(found->second);
            }
            auto result = quant::observeCase(cases[i].observer, inputs, work.stop);
            if (!result)
                return result.error().in(say("{0}: [{1}]", m_cases, i));
            out.push_back(std::move(*result));
        }
        return out;
    }

    std::string m_arrays;
    std::string m_cases;
    std::string m_outputs;
};

} // namespace

std::unique_ptr<Verb> makeObserveVerb()
{
    return std::make_unique<ObserveVerb>();
}

} // namespace gb::cli
