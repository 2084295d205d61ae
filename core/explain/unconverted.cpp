// Observers without quantize and dequantize (C codes).
#include "explain/evidence.h"
#include "explain/view.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using trace::EventKind;

/// What convert made of the observers, by observer node.
struct Conversions {
    std::map<ir::NodeId, int> replaced;    ///< by quantize and dequantize: the event
    std::map<ir::NodeId, int> other;       ///< an event with a C code
    std::map<ir::NodeId, int> foldedNodes; ///< quantize nodes that became constants
};

Conversions conversionsOf(const RunView& run)
{
    Conversions out;
    for (std::size_t i = 0; i < run.recording->events.size(); ++i) {
        const trace::Event& e = run.recording->events[i];
        const int index = static_cast<int>(i);
        if (e.nodes.empty())
            continue;
        if (e.text("code").starts_with('C'))
            out.other[e.nodes.front()] = index;
        else if (e.kind == EventKind::Rewrite && e.name == "replace_observer")
            out.replaced[e.nodes.front()] = index;
        else if (e.kind == EventKind::Fold)
            for (const ir::NodeId id : e.nodes)
                out.foldedNodes[id] = index;
    }
    return out;
}

class Unconverted {
public:
    Unconverted(const RunView& run, Answer& answer)
        : m_run(run)
        , m_answer(answer)
        , m_conversions(conversionsOf(run))
    {
    }

    void visit(const ir::Node& observer, const std::string& path)
    {
        if (const auto other = m_conversions.other.find(observer.id()); other != m_conversions.other.end()) {
            const trace::Event& e = m_run.event(other->second);
            add(observer, path, e.text("code"), e.sentence, other->second);
            return;
        }
        const auto replaced = m_conversions.replaced.find(observer.id());
        if (replaced == m_conversions.replaced.end())
            return;
        const trace::Event& e = m_run.event(replaced->second);
        for (const ir::NodeId id : e.nodes)
            if (const auto folded = m_conversions.foldedNodes.find(id);
                folded != m_conversions.foldedNodes.end() && id != e.nodes[0] && id != e.nodes[1]) {
                const trace::Event& fold = m_run.event(folded->second);
                add(observer, path, "C2",
                    message("the quantize of {0} was folded into the constant {1}; its dequantize is left",
                            observer.name(), fold.text("attribute")),
                    folded->second);
                return;
            }
        const auto left = m_run.converted->graphs.find(path);
        const auto isLeft = [&](ir::NodeId id) { return left->second->graph->find(id) != nullptr; };
        if (left != m_run.converted->graphs.end() && e.nodes.size() > 2
            && std::none_of(e.nodes.begin() + 2, e.nodes.end(), isLeft))
            add(observer, path, "C4",
                message("the quantize and dequantize of {0} were taken out again: nothing uses them", observer.name()),
                replaced->second);
    }

private:
    void add(const ir::Node& observer, const std::string& path, const std::string& code, base::Message sentence,
             int event)
    {
        NodeReason out = reasonOf(m_run, observer.id(), path, code);
        out.node = observer.name();
        out.target = observer.target();
        out.sentence = std::move(sentence);
        out.event = event;
        const auto graph = m_run.prepared->graphs.find(path);
        const auto info = graph->second->observers.find(observer.target());
        const ir::Node* input = graph->second->graph->find(observer.arg(0).nodeId());
        if (info != graph->second->observers.end() && input)
            out.evidence.push_back({message("{0} is a {1} of dtype {2} behind {3} ({4})", out.node, info->second->type,
                                            info->second->settings.dtypeName, input->name(), valueText(*input))});
        m_answer.nodes.push_back(std::move(out));
    }

    const RunView& m_run;
    Answer& m_answer;
    Conversions m_conversions;
};

} // namespace

void addUnconverted(const RunView& run, Answer& answer)
{
    if (!run.prepared || !run.converted)
        return;
    Unconverted unconverted(run, answer);
    for (const auto& [path, graph] : run.prepared->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next())
            if (n->op() == ir::Op::CallModule && graph->observers.contains(n->target()))
                unconverted.visit(*n, path);
}

} // namespace gb::explain
