// greenbox export MODEL.pt2 --recipe R.json --stage STAGE[,STAGE...] --out F.svg|.pdf|.png|.dot
#include "base/message.h"
#include "cli/flow.h"
#include "cli/verb.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace gb::cli {
namespace {

using base::ErrorCode;
using base::say;

class ExportVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.add_option("--stage", m_stages, "stages to draw, one picture or page each")
            ->required()
            ->delimiter(',')
            ->check(CLI::IsMember(stageNames()));
        app.add_option("--out", m_out, "the file: .svg, .pdf, .png or .dot")->required();
    }

    int run(const Surroundings& s) override
    {
        if (!hasKnownEnding())
            return s.console.fail({ErrorCode::Usage, "an ending .svg, .pdf, .png or .dot expected", m_out});
        if (!s.hooks.exportDiagrams)
            return s.console.fail(
                {ErrorCode::Unsupported, "this program was built without its views, which draw", "export"});
        m_options.stopAfter = lastStage();
        m_options.readImage = s.hooks.readImage;
        const auto flow = runFlow(m_options, s.work());
        if (!flow)
            return s.console.fail(flow.error());
        if (flow->result.error)
            return s.console.fail(*flow->result.error);
        const auto written = s.hooks.exportDiagrams({flow->result.recording, m_stages, m_out}, s.work());
        if (!written)
            return s.console.fail(written.error());
        for (const std::string& path : *written)
            s.console.out << path << '\n';
        s.console.out.flush();
        return kDone;
    }

private:
    [[nodiscard]] bool hasKnownEnding() const
    {
        constexpr std::string_view kEndings[] = {".svg", ".pdf", ".png", ".dot"};
        return std::ranges::any_of(kEndings, [this](std::string_view e) { return m_out.ends_with(e); });
    }

    /// The flow need not run further than the last stage that is drawn.
    [[nodiscard]] std::string lastStage() const
    {
        std::string last;
        for (const std::string& stage : stageNames())
            if (std::ranges::find(m_stages, stage) != m_stages.end())
                last = stage;
        return last;
    }

    FlowOptions m_options;
    std::vector<std::string> m_stages;
    std::string m_out;
};

} // namespace

std::unique_ptr<Verb> makeExportVerb()
{
    return std::make_unique<ExportVerb>();
}

} // namespace gb::cli
