#include "explain/explain.h"

#include "explain/codes.h"
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

const ir::Node* RunView::find(ir::NodeId id) const
{
    for (const GraphView& graph : graphs)
        if (const ir::Node* node = graph.moment->graph->find(id))
            return node;
    return nullptr;
}

ir::Position positionOf(const trace::Event& event, std::string_view field)
{
    const ir::Argument* value = event.field(field);
    const auto* list = value ? value->as<ir::Sequence>() : nullptr;
    if (!list || list->items.empty())
        return {};
    return {list->items[0].nodeId(), list->items.size() > 1 ? list->items[1].nodeId() : ir::kNoNode};
}

std::string positionText(const RunView& run, ir::Position position)
{
    const std::string node = run.nameOf(position.node);
    return position.isEdge() ? node + " -> " + run.nameOf(position.consumer) : node;
}

std::string listText(const std::vector<std::string>& names, std::size_t most)
{
    std::string out;
    const std::size_t shown = names.size() > most ? most - 1 : names.size();
    for (std::size_t i = 0; i < shown; ++i)
        out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return shown < names.size() ? base::say("{0} and {1} more", out, names.size() - shown) : out;
}

NodeReason reasonOf(const RunView& run, ir::NodeId id, const std::string& graph, std::string code)
{
    NodeReason out;
    out.id = id;
    out.node = run.nameOf(id);
    out.graph = graph;
    out.code = std::move(code);
    out.toChange = adviceFor(out.code);
    if (const ir::Node* node = run.find(id))
        out.target = node->target();
    return out;
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
        if (e.kind == EventKind::Attempt || e.kind == EventKind::Match || e.kind == EventKind::Annotate)
            for (const ir::NodeId id : e.nodes)
                (e.kind == EventKind::Attempt ? run.attempts
                 : e.kind == EventKind::Match ? run.matches
                                              : run.writes)[id]
                    .push_back(i);
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
    for (const auto& [stage, kept] :
         {std::pair("prepared", &RunView::prepared), std::pair("calibrated", &RunView::calibrated),
          std::pair("converted", &RunView::converted)})
        if (const int end = recording->stageEvent(stage); end >= 0) {
            GB_ASSIGN(run.*kept, replay.at(end));
        }
    return run;
}

} // namespace gb::explain
