// greenbox export MODEL.pt2 --recipe R.json --stage STAGE[,STAGE...] --out F.svg|.pdf|.png|.dot|.json
// greenbox export RECORDING --steps 30-60 | --what histogram|why --node NAME ...
#include "base/message.h"
#include "cli/flow.h"
#include "cli/verb.h"
#include "io/recording.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
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
        app.get_option("MODEL")->description("a program that torch.export.save wrote (.pt2), or a recording");
        app.get_option("--recipe")->required(false);
        auto* stages = app.add_option("--stage", m_stages, "stages to draw, one picture or page each")
                           ->delimiter(',')
                           ->check(CLI::IsMember(stageNames()));
        app.add_option("--frames", m_frames, "a picture of every stage, or of every step of --steps, with one framing")
            ->check(CLI::IsMember({"stages", "steps"}))
            ->excludes(stages);
        app.add_option("--steps", m_steps, "which steps, as the window counts them: 30-60, or 41")->excludes(stages);
        app.add_option("--what", m_what,
                       "the graph; or of --node the histogram of its observer, or why it has no label")
            ->check(CLI::IsMember({"graph", "histogram", "why"}))
            ->capture_default_str();
        app.add_option("--node", m_node, "the node that a histogram or a reason is of");
        app.add_option("--out", m_out, "the file: .svg, .pdf, .png, .dot or .json (for Model Explorer), or a folder/")
            ->required();
        declareContent(app);
        declareLook(app);
    }

    int run(const Surroundings& s) override
    {
        if (const base::Status asked = check(); !asked)
            return s.console.fail(asked.error());
        if (m_out.ends_with('/'))
            m_out += std::filesystem::path(m_options.model).stem().string() + "." + m_format;
        if (!hasKnownEnding())
            return s.console.fail({ErrorCode::Usage, "an ending .svg, .pdf, .png, .dot or .json expected", m_out});
        if (!s.hooks.exportDiagrams)
            return s.console.fail(
                {ErrorCode::Unsupported, "this program was built without its views, which draw", "export"});
        m_options.readImage = s.hooks.readImage;
        const auto recording = record(s);
        if (!recording)
            return s.console.fail(recording.error());
        if (m_frames == "stages")
            m_stages = (*recording)->stages();
        const auto written = s.hooks.exportDiagrams(
            {*recording, m_stages, m_out, m_style, m_firstStep, m_lastStep, m_what, m_node, m_times}, s.work());
        if (!written)
            return s.console.fail(written.error());
        for (const std::string& path : written->paths)
            s.console.out << path << '\n';
        s.console.out.flush();
        for (const std::string& note : written->notes)
            s.console.err << "greenbox: note: " << note << '\n';
        return kDone;
    }

private:
    /// What of the command line has to go together.
    base::Status check()
    {
        if (m_what != "graph") {
            if (m_node.empty())
                return base::Error{ErrorCode::Usage, say("--node expected with --what {0}", m_what), "export"};
            return {};
        }
        if (!m_steps.empty() && m_frames.empty())
            m_frames = "steps";
        if (m_stages.empty() && m_frames.empty())
            return base::Error{ErrorCode::Usage, "--stage, --frames or --steps expected", "export"};
        return m_frames == "steps" ? readSteps() : base::Status();
    }

    base::Status readSteps()
    {
        const std::size_t dash = m_steps.find('-');
        const std::string first = m_steps.substr(0, dash);
        const std::string last = dash == std::string::npos ? first : m_steps.substr(dash + 1);
        const auto read = [](const std::string& text, int& into) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
            return error == std::errc() && end == text.data() + text.size();
        };
        if (!read(first, m_firstStep) || !read(last, m_lastStep))
            return base::Error{ErrorCode::Usage, say("\"{0}\" found, a range of steps like 30-60 expected", m_steps),
                               "--steps"};
        return {};
    }

    void declareContent(CLI::App& app)
    {
        app.add_option("--select", m_style.select,
                       "only what is near these: a node's name, op:TARGET or module:PATH, with * and ?")
            ->delimiter(',');
        app.add_option("--radius", m_style.radius, "ops around a selection")
            ->check(CLI::Range(0, 1000))
            ->capture_default_str();
        app.add_option("--fold", m_style.fold, "which modules are folded: none, first (as the window begins) or all")
            ->check(CLI::IsMember({"none", "first", "all"}))
            ->capture_default_str();
        app.add_flag("--panes", m_style.sideBySide, "all stages side by side in one picture");
        app.add_flag("--sharing", m_style.sharing, "sharing groups as shapes behind their labels and observers");
        app.add_flag("--no-constants", m_style.noConstants, "leave out weights and other constants with one user");
        app.add_flag("--no-ghosts", m_style.noGhosts, "leave out what is gone at the stage");
        app.add_option("--overlay", m_style.overlay,
                       "numbers beside the boxes: scale, bits, range, time, or a CSV file");
        app.add_option("--viewport", m_style.viewport,
                       "only this part of the picture: x,y,width,height in pixels at 100 %")
            ->delimiter(',')
            ->expected(4);
    }

    void declareLook(CLI::App& app)
    {
        app.add_option("--preset", m_style.page, "size of the page: 16:9, 4:3, square, A4, A4-portrait, or WxH in mm");
        app.add_option("--theme", m_style.theme, "print, light, dark or high-contrast")
            ->check(CLI::IsMember({"print", "light", "dark", "high-contrast"}))
            ->capture_default_str();
        app.add_option("--detail", m_style.detail, "how much a box says: full, brief, chips or blocks")
            ->check(CLI::IsMember({"full", "brief", "chips", "blocks"}))
            ->capture_default_str();
        app.add_option("--scale", m_style.scale, "PNG: pixels a point of the drawing, 1 to 4")->capture_default_str();
        app.add_option("--min-text", m_style.minText, "points; smaller text on a page gives a note")
            ->capture_default_str();
        auto* caption = app.add_option("--caption", m_style.caption, "above the graph, instead of model and stage");
        app.add_flag("--no-caption", m_style.noCaption, "no caption")->excludes(caption);
        app.add_flag("--legend", m_style.legend, "what forms and lines mean, below the graph");
        app.add_flag("--notes", m_style.notes, "speaker notes as Markdown, a section a picture: NAME-notes.md");
        app.add_flag("--transparent", m_style.transparent, "no page behind the graph");
        app.add_option("--format", m_format, "of files in a folder: svg, pdf, png, dot or json")
            ->check(CLI::IsMember({"svg", "pdf", "png", "dot", "json"}))
            ->capture_default_str();
    }

    /// Runs the model, or reads the recording.
    base::Result<trace::RecordingPtr> record(const Surroundings& s)
    {
        if (std::filesystem::path(m_options.model).extension() != ".pt2" && m_options.recipe.empty()) {
            GB_ASSIGN(const io::ReadRecording read, io::readRecording(m_options.model));
            return read.recording;
        }
        if (m_options.recipe.empty())
            return base::Error{ErrorCode::Usage, "--recipe expected for a model", m_options.model};
        m_options.keepsTimes = m_style.overlay == "time";
        const bool whole = !m_frames.empty() || m_what != "graph" || m_options.keepsTimes;
        m_options.stopAfter = whole ? std::string() : lastStage();
        GB_ASSIGN(const FlowRun flow, runFlow(m_options, s.work()));
        if (flow.result.error)
            return *flow.result.error;
        m_times = flow.result.times;
        return flow.result.recording;
    }

    [[nodiscard]] bool hasKnownEnding() const
    {
        constexpr std::string_view kEndings[] = {".svg", ".pdf", ".png", ".dot", ".json"};
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
    engine::NodeTimesPtr m_times;
    std::vector<std::string> m_stages;
    std::string m_frames;
    std::string m_steps;
    int m_firstStep = 0;
    int m_lastStep = 0;
    std::string m_what = "graph";
    std::string m_node;
    std::string m_out;
    std::string m_format = "svg";
    ExportStyle m_style;
};

} // namespace

std::unique_ptr<Verb> makeExportVerb()
{
    return std::make_unique<ExportVerb>();
}

} // namespace gb::cli
