// Labels without an observer of their own (O codes).
#include "explain/view.h"
#include "quantizers/report.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using trace::EventKind;

/// What an event of prepare makes of a label: its code, or "" where it gives the label an observer.
std::string codeOf(const trace::Event& e)
{
    if (e.kind == EventKind::Reuse)
        return e.text("why") == "output" ? "O2" : "O3";
    const std::string code = e.text("code");
    return e.kind == EventKind::Drop && code.starts_with("O") ? code : std::string();
}

/// What the label asks for, and which event wrote it.
void addLabel(const RunView& run, NodeReason& out)
{
    const ir::Node* node = run.find(out.id);
    if (!node || !node->annotation())
        return;
    const ir::Annotation& label = *node->annotation();
    const ir::Spec* spec = out.position.isEdge() ? label.input(out.position.node) : &label.output;
    if (!spec)
        return;
    const auto writes = run.writes.find(out.id);
    out.evidence.push_back({message("the label {0} asks for {1}", positionText(run, out.position),
                                    quantizers::describe(*spec, node->graph())),
                            writes == run.writes.end() ? -1 : writes->second.back()});
}

/// A label that is there for an edge which the graph does not have: prepare passes over it without a word.
void addDangling(const RunView& run, Answer& answer)
{
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            if (!n->annotation() || !graph.entered)
                continue;
            for (const auto& [upstream, spec] : n->annotation()->inputs) {
                const auto isInput = [id = upstream](const ir::Node* i) { return i->id() == id; };
                if (spec && std::ranges::none_of(n->inputs(), isInput))
                    answer.findings.push_back({"R12", Severity::Warning, n->name(),
                                               message("{0} has a label for its input {1}, which it does not take",
                                                       n->name(), run.nameOf(upstream)),
                                               -1, n->id(), "label dropped"});
            }
        }
}

} // namespace

void addDropped(const RunView& run, Answer& answer)
{
    for (std::size_t i = 0; i < run.recording->events.size(); ++i) {
        const trace::Event& e = run.recording->events[i];
        const std::string code = codeOf(e);
        if (code.empty() || e.nodes.empty())
            continue;
        NodeReason out = reasonOf(run, e.nodes.front(), e.graph, code);
        out.sentence = e.sentence;
        out.event = static_cast<int>(i);
        out.position = positionOf(e, "position");
        addLabel(run, out);
        answer.nodes.push_back(std::move(out));
        // a label that was meant and comes to nothing is a problem of its own
        if (code == "O4" || code == "O5" || code == "O6")
            answer.findings.push_back({"R12", Severity::Warning, answer.nodes.back().node, e.sentence,
                                       static_cast<int>(i), e.nodes.front(), "label dropped"});
    }
    if (run.prepared)
        addDangling(run, answer);
}

} // namespace gb::explain
