// greenbox run MODEL.pt2 --recipe R.json ...
#include "base/message.h"
#include "cli/flow.h"
#include "cli/summary.h"
#include "cli/verb.h"
#include "explain/explain.h"
#include "io/dump.h"
#include "io/npz.h"
#include "io/recording.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace gb::cli {
namespace {

using base::Status;

class RunVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.add_option("--stop-after", m_options.stopAfter, "end the flow after this stage")
            ->check(CLI::IsMember(stageNames()));
        app.add_option("--dump", m_dump, "write the stage dump (JSON)");
        app.add_option("--record", m_record, "write the recording (JSON Lines)");
        app.add_option("--outputs", m_outputs, "write the outputs on the first batch (.npz)");
    }

    int run(const Surroundings& s) override
    {
        m_options.readImage = s.hooks.readImage;
        const auto flow = runFlow(m_options, s.work());
        if (!flow)
            return s.console.fail(flow.error());
        const auto& error = flow->result.error;
        if (error && (error->code == base::ErrorCode::Cancelled || error->code == base::ErrorCode::Usage))
            return s.console.fail(*error);
        if (const Status written = writeFiles(flow->result); !written)
            return s.console.fail(written.error());
        if (const Status printed = summarize(*flow, s.console.out); !printed)
            return s.console.fail(printed.error());
        return error ? s.console.fail(*error) : kDone;
    }

private:
    [[nodiscard]] Status writeFiles(const engine::RunResult& result) const
    {
        if (!m_dump.empty())
            GB_TRY(io::writeDump(result.recording, m_dump));
        if (!m_record.empty())
            GB_TRY(io::writeRecording(*result.recording, m_record));
        if (!m_outputs.empty())
            GB_TRY(io::writeNpz(m_outputs, result.outputs));
        return {};
    }

    Status summarize(const FlowRun& flow, std::ostream& out) const
    {
        const trace::RecordingPtr& recording = flow.result.recording;
        out << recording->header.model << ", " << flow.recipe.quantizer << ", " << recording->header.mode << '\n';
        out << "batches     " << flow.calibratedOn << '\n';
        GB_TRY(printStages(recording, out));
        GB_ASSIGN(const explain::Answer answer, explain::explain(recording, flow.recipe));
        const explain::Summary& ops = answer.summary;
        out << "labels      " << base::say("{0} of {1} ops labelled, {2} not", ops.labelled, ops.ops, ops.unlabelled)
            << '\n';
        GB_TRY(printObservers(recording, out));
        printComparisons(*recording, out);
        for (const auto& [what, path] : {std::pair{"dump", &m_dump}, {"recording", &m_record}, {"outputs", &m_outputs}})
            if (!path->empty())
                out << "written     " << what << ": " << *path << '\n';
        out.flush();
        return {};
    }

    FlowOptions m_options;
    std::string m_dump;
    std::string m_record;
    std::string m_outputs;
};

} // namespace

std::unique_ptr<Verb> makeRunVerb()
{
    return std::make_unique<RunVerb>();
}

} // namespace gb::cli
