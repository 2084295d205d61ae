#include "explain/explain.h"

#include "explain/view.h"

namespace gb::explain {

using trace::EventKind;

std::string RunView::nameOf(ir::NodeId id) const
{
    for (const GraphView& graph : graphs)
        if (std::string name = graph.moment->graph->nameOf(id); !name.empty())
            return name;
    return {};
}

bool isLabelled(const ir::Node& node)
{
    const ir::AnnotationPtr& a = node.annotation();
    return a && (a->annotated || a->output || !a->inputs.empty());
}

std::vector<std::string> texts(const trace::Event& event, std::string_view field)
{
    std::vector<std::string> out;
    const ir::Argument* value = event.field(field);
    if (const auto* list = value ? value->as<ir::Sequence>() : nullptr)
        for (const ir::Argument& item : list->items)
            if (const auto* text = item.as<std::string>())
                out.push_back(*text);
    return out;
}

base::Result<RunView> viewOf(const trace::RecordingPtr& recording)
{
    RunView run;
    run.recording = recording;
    const auto& events = recording->events;
    // each graph's labels are complete at its own `annotated`; without one, what is there at the end counts
    std::map<std::string, int> complete;
    for (int i = 0; i < static_cast<int>(events.size()); ++i) {
        const trace::Event& e = run.event(i);
        if (e.kind == EventKind::Stage && e.name == "annotated")
            complete.try_emplace(e.graph, i);
        if (e.kind == EventKind::Rule)
            run.rules.push_back(i);
        if (e.kind == EventKind::Attempt || e.kind == EventKind::Match)
            for (const ir::NodeId id : e.nodes)
                (e.kind == EventKind::Attempt ? run.attempts : run.matches)[id].push_back(i);
    }
    run.annotated = complete.contains("");
    trace::Replay replay(recording);
    const int top = run.annotated ? complete[""] : static_cast<int>(events.size()) - 1;
    GB_ASSIGN(const trace::MomentPtr moment, replay.at(top));
    for (const auto& [path, graph] : moment->graphs) {
        GraphView view{path, graph, path.empty() || complete.contains(path)};
        if (!path.empty() && view.entered) {
            GB_ASSIGN(const trace::MomentPtr own, replay.at(complete[path]));
            view.moment = own->graphs.at(path);
        }
        run.graphs.push_back(std::move(view));
    }
    return run;
}

base::Result<Answer> explain(const trace::RecordingPtr& recording, const quantizers::Recipe& recipe)
{
    GB_ASSIGN(const RunView run, viewOf(recording));
    Answer answer;
    addDropped(run, answer);
    addUnlabelled(run, answer);
    if (run.annotated) // else which settings would have been read is not known
        addSettings(run, recipe, answer);
    addFindings(run, answer);
    if (const int prepared = recording->stageEvent("prepared"); prepared >= 0) {
        trace::Replay replay(recording);
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(prepared));
        for (const auto& [path, graph] : moment->graphs)
            for (const ir::Node* n = graph->graph->first(); n; n = n->next())
                answer.summary.observers += n->op() == ir::Op::CallModule && graph->observers.contains(n->target());
    }
    return answer;
}

} // namespace gb::explain
