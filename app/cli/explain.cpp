// greenbox explain MODEL.pt2 --recipe R.json [--node NAME] [--json] [--fail-on CODE,...]
#include "explain/explain.h"

#include "base/message.h"
#include "cli/explain_json.h"
#include "cli/flow.h"
#include "cli/verb.h"
#include "explain/codes.h"
#include "trace/replay.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace gb::cli {
namespace {

using base::say;

void print(const explain::NodeReason& n, std::ostream& out)
{
    out << (n.graph.empty() ? n.node : n.graph + ": " + n.node) << "  " << n.target << "  " << n.code << ' '
        << explain::verdictOf(n.code) << '\n';
    out << "  " << n.sentence.text() << '\n';
    for (const explain::TriedRule& rule : n.rules)
        out << "  " << say("tried: {0} of {1} (event {2}), {3}", rule.rule, rule.quantizer, rule.event, rule.failed)
            << '\n';
    if (!n.toChange.empty())
        out << "  to change: " << n.toChange.text() << '\n';
}

void print(const explain::Answer& answer, const trace::Header& header, std::ostream& out)
{
    const explain::Summary& s = answer.summary;
    out << say("{0}, {1}: {2} of {3} ops labelled, {4} not; {5} observers", header.model, header.mode, s.labelled,
               s.ops, s.unlabelled, s.observers)
        << '\n';
    if (s.inSubgraphsNotEntered > 0)
        out << say("{0} ops lie in sub-graphs that the quantizer does not enter", s.inSubgraphsNotEntered) << '\n';
    for (const bool unlabelled : {true, false}) // what has no label at all matters most
        for (const explain::NodeReason& n : answer.nodes)
            if (n.code.starts_with('R') == unlabelled) {
                out << '\n';
                print(n, out);
            }
    out << (answer.settings.empty() ? "" : "\nsettings\n");
    for (const explain::SettingReason& setting : answer.settings)
        out << "  " << setting.sentence.text() << '\n';
    out << (answer.findings.empty() ? "" : "\nfindings\n");
    for (const explain::Finding& f : answer.findings)
        out << "  " << (f.code.empty() ? "" : f.code + " ") << f.sentence.text() << '\n';
}

class ExplainVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.add_option("--node", m_node, "only this node");
        app.add_flag("--json", m_json, "print one JSON object");
        app.add_option("--fail-on", m_failOn, "exit 1 when one of these codes occurs")->delimiter(',');
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
        const trace::RecordingPtr& recording = flow->result.recording;
        auto answer = explain::explain(recording, flow->recipe);
        if (!answer)
            return s.console.fail(answer.error());
        if (!m_node.empty() && !keepNode(*answer, *recording))
            return s.console.fail({base::ErrorCode::NotFound,
                                   say("no node \"{0}\" in the graphs, one expected", m_node), m_options.model});
        if (m_json)
            s.console.out << explainJson(*answer, recording->header);
        else
            print(*answer, recording->header, s.console.out);
        s.console.out.flush();
        if (error)
            return s.console.fail(*error);
        return occurs(*answer) ? kRefused : kDone;
    }

private:
    /// Leaves only what is said of the node; false when no graph ever had it.
    bool keepNode(explain::Answer& answer, const trace::Recording& recording) const
    {
        std::erase_if(answer.nodes, [this](const explain::NodeReason& n) { return n.node != m_node; });
        std::erase_if(answer.findings, [this](const explain::Finding& f) { return f.node != m_node; });
        if (!answer.nodes.empty())
            return true;
        for (const trace::Event& e : recording.events)
            for (const trace::Edit& edit : e.edits)
                if (const auto* added = std::get_if<trace::NodeAdded>(&edit); added && added->row.name == m_node)
                    return true;
        return false;
    }

    [[nodiscard]] bool occurs(const explain::Answer& answer) const
    {
        const auto wanted = [this](const auto& row) { return std::ranges::find(m_failOn, row.code) != m_failOn.end(); };
        return std::ranges::any_of(answer.nodes, wanted) || std::ranges::any_of(answer.findings, wanted);
    }

    FlowOptions m_options;
    std::string m_node;
    bool m_json = false;
    std::vector<std::string> m_failOn;
};

} // namespace

std::unique_ptr<Verb> makeExplainVerb()
{
    return std::make_unique<ExplainVerb>();
}

} // namespace gb::cli
