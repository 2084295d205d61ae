#include "explain/report.h"

#include "explain/view.h"

#include <algorithm>

namespace gb::explain {
namespace {

void countObservers(const RunView& run, Answer& answer)
{
    if (!run.prepared)
        return;
    for (const auto& [path, graph] : run.prepared->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next())
            answer.summary.observers += n->op() == ir::Op::CallModule && graph->observers.contains(n->target());
}

/// The event that a finding is best looked at from, where none was its cause: the last that wrote the node's label,
/// else the last that touched the node, else the end of the stage that it is about.
class EventFinder {
public:
    explicit EventFinder(const RunView& run)
        : m_run(run)
    {
        for (std::size_t i = 0; i < run.recording->events.size(); ++i)
            if (const trace::Event& e = run.recording->events[i]; e.kind != trace::EventKind::Load)
                for (const ir::NodeId id : e.nodes)
                    m_touched[id] = static_cast<int>(i);
    }

    [[nodiscard]] int eventOf(const Finding& finding) const
    {
        if (const auto writes = m_run.writes.find(finding.id); writes != m_run.writes.end())
            return writes->second.back();
        if (const auto touched = m_touched.find(finding.id); touched != m_touched.end())
            return touched->second;
        const trace::Recording& recording = *m_run.recording;
        const bool late = finding.kind == "stored, not read" || finding.kind == "batch norm in training mode";
        const int stage = recording.stageEvent(late ? "converted" : "annotated");
        return stage >= 0 ? stage : static_cast<int>(recording.events.size()) - 1;
    }

private:
    const RunView& m_run;
    std::unordered_map<ir::NodeId, int> m_touched;
};

/// Findings name their node; where only the name or only the number was at hand, the other is looked up. Each has an
/// event to go to.
void complete(const RunView& run, Answer& answer)
{
    const EventFinder events(run);
    for (Finding& finding : answer.findings) {
        if (finding.id != ir::kNoNode || finding.node.empty())
            continue;
        for (const GraphView& graph : run.graphs)
            if (const ir::Node* node = graph.moment->graph->find(finding.node)) {
                finding.id = node->id();
                break;
            }
    }
    for (Finding& finding : answer.findings)
        if (finding.event < 0)
            finding.event = events.eventOf(finding);
    std::ranges::stable_sort(answer.findings, {}, &Finding::severity);
}

} // namespace

base::Result<ReportPtr> report(const trace::RecordingPtr& recording, const quantizers::Recipe& recipe,
                               const base::Work& work)
{
    const auto stopped = [&work] { return work.cancelled(); };
    const base::Error cancelled{base::ErrorCode::Cancelled, "stopped by the user", {}};
    work.report(0, "explain");
    GB_ASSIGN(const RunView run, viewOf(recording));
    if (stopped())
        return cancelled;
    auto out = std::make_shared<Report>();
    Answer& answer = out->answer;
    addDropped(run, answer);
    addUnconverted(run, answer);
    addUnlabelled(run, recipe, answer);
    work.report(500, "explain");
    if (stopped())
        return cancelled;
    if (run.annotated) // else which settings would have been read is not known
        addSettings(run, recipe, answer);
    addFindings(run, answer);
    out->coverage = coverageOf(run);
    out->sharing = sharingOf(run, answer);
    if (stopped())
        return cancelled;
    out->ledger = ledgerOf(run, answer);
    addProblems(run, out->coverage, answer);
    countObservers(run, answer);
    complete(run, answer);
    return ReportPtr(std::move(out));
}

base::Result<Answer> explain(const trace::RecordingPtr& recording, const quantizers::Recipe& recipe)
{
    GB_ASSIGN(const ReportPtr all, report(recording, recipe));
    return all->answer;
}

} // namespace gb::explain
