// greenbox explain MODEL.pt2 --recipe R.json [--node NAME] [--all] [--query Q] [--coverage] [--sharing]
//                                        [--ledger] [--json] [--fail-on CODE,...]
#include "explain/report.h"

#include "base/message.h"
#include "cli/explain_json.h"
#include "cli/explain_text.h"
#include "cli/flow.h"
#include "cli/verb.h"
#include "explain/query.h"
#include "trace/replay.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

namespace gb::cli {
namespace {

using base::say;

/// The node of a name in whichever graph has it where the labels are complete, with that graph.
std::pair<std::shared_ptr<const ir::Graph>, ir::NodeId> findNode(const trace::RecordingPtr& recording,
                                                                 const std::string& name)
{
    trace::Replay replay(recording);
    const int labelled = recording->stageEvent("annotated");
    const auto moment = replay.at(labelled < 0 ? static_cast<int>(recording->events.size()) - 1 : labelled);
    if (moment)
        for (const auto& [path, graph] : (*moment)->graphs)
            if (const ir::Node* node = graph->graph->find(name))
                return {graph->graph, node->id()};
    return {nullptr, ir::kNoNode};
}

class ExplainVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.add_option("--node", m_node, "only this node");
        app.add_flag("--all", m_all, "list the nodes that compute nothing, too");
        app.add_option("--query", m_query,
                       "only nodes that match, as in the window's search: \"op:conv* not reason:R5\"");
        app.add_flag("--coverage", m_parts.coverage, "how much is labelled, by op and by module");
        app.add_flag("--sharing", m_parts.sharing, "which labels share one observer, and what it costs them");
        app.add_flag("--ledger", m_parts.ledger, "what prepare and convert changed besides observers");
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
        const auto report = explain::report(recording, flow->recipe, s.work());
        if (!report)
            return s.console.fail(report.error());
        explain::Answer answer = (*report)->answer;
        if (m_all || !m_node.empty())
            std::ranges::move(std::exchange(answer.others, {}), std::back_inserter(answer.nodes));
        if (!m_query.empty())
            if (const auto kept = keepQuery(answer, recording); !kept)
                return s.console.fail(kept.error());
        if (!m_node.empty() && !keepNode(answer, *recording))
            return s.console.fail({base::ErrorCode::NotFound,
                                   say("no node \"{0}\" in the graphs, one expected", m_node), m_options.model});
        if (m_json)
            s.console.out << explainJson(answer, recording->header, **report, m_parts);
        else
            print(answer, recording, **report, s.console.out);
        s.console.out.flush();
        if (error)
            return s.console.fail(*error);
        return occurs(answer) ? kRefused : kDone;
    }

private:
    void print(const explain::Answer& answer, const trace::RecordingPtr& recording, const explain::Report& report,
               std::ostream& out) const
    {
        printExplain(answer, recording->header, out);
        if (!m_node.empty())
            if (const auto [graph, id] = findNode(recording, m_node); graph)
                printHistory(*recording, *graph, id, out);
        printParts(report, m_parts, out);
    }

    /// Leaves only what is said of nodes that match.
    base::Status keepQuery(explain::Answer& answer, const trace::RecordingPtr& recording) const
    {
        auto query = explain::Query::parse(m_query);
        if (!query)
            return query.error().in("--query");
        GB_ASSIGN(const explain::SearchIndex index, explain::searchIndex(recording, answer));
        const std::vector<ir::NodeId> found = query->run(index);
        const auto isOut = [&found](const auto& row) { return std::ranges::find(found, row.id) == found.end(); };
        std::erase_if(answer.nodes, isOut);
        std::erase_if(answer.findings, isOut);
        return {};
    }

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
    std::string m_query;
    ExplainParts m_parts;
    bool m_all = false;
    bool m_json = false;
    std::vector<std::string> m_failOn;
};

} // namespace

std::unique_ptr<Verb> makeExplainVerb()
{
    return std::make_unique<ExplainVerb>();
}

} // namespace gb::cli
