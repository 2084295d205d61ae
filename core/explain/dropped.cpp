// Labels without an observer of their own (O codes), observers without q/dq (C codes).
#include "explain/codes.h"
#include "explain/view.h"

namespace gb::explain {
namespace {

using trace::EventKind;

NodeReason entryOf(const RunView& run, const trace::Event& e, std::string code)
{
    NodeReason out;
    out.id = e.nodes.front();
    out.node = run.nameOf(out.id);
    out.graph = e.graph;
    out.code = std::move(code);
    out.sentence = e.sentence;
    out.toChange = adviceFor(out.code);
    for (const GraphView& graph : run.graphs)
        if (const ir::Node* node = graph.moment->graph->find(out.id))
            out.target = node->target();
    return out;
}

} // namespace

void addDropped(const RunView& run, Answer& answer)
{
    for (const trace::Event& e : run.recording->events) {
        if (e.nodes.empty())
            continue;
        if (e.kind == EventKind::Reuse) {
            answer.nodes.push_back(entryOf(run, e, e.text("why") == "output" ? "O2" : "O3"));
            continue;
        }
        const std::string code = e.text("code");
        const bool dropped = e.kind == EventKind::Drop && code.starts_with("O");
        const bool unconverted = (e.kind == EventKind::Rewrite || e.kind == EventKind::Drop) && code.starts_with("C");
        if (!dropped && !unconverted)
            continue;
        answer.nodes.push_back(entryOf(run, e, code));
        // a label that was meant and comes to nothing is a problem of its own
        if (code == "O4" || code == "O5" || code == "O6")
            answer.findings.push_back({"R12", Severity::Warning, answer.nodes.back().node, e.sentence});
    }
}

} // namespace gb::explain
