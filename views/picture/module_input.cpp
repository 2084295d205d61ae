#include "picture/module_input.h"

#include <algorithm>
#include <map>

namespace gb::views {
namespace {

/// Deeper nesting than this is cut: no model has it, a broken file may.
constexpr std::size_t kDeepest = 48;

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

/// "L['self'].layer1[0].conv" -> "layer1.0.conv"; "layer1.0.conv" stays; "" is the model.
std::string modulePath(const std::string& path)
{
    constexpr std::string_view kSelf = "L['self']";
    if (!path.starts_with(kSelf))
        return path;
    std::string out;
    for (const char c : path.substr(kSelf.size())) {
        if (c == '[' || c == '.')
            out += out.empty() ? "" : ".";
        else if (c != ']' && c != '\'' && c != '"')
            out += c;
    }
    return out;
}

/// What a reader would compare of a label.
std::string kindOf(const ir::Spec& spec)
{
    if (!spec)
        return "None";
    const auto range = [](const auto& s) {
        return std::to_string(static_cast<int>(s.dtype)) + ',' + std::to_string(s.quantMin.value_or(0)) + ','
               + std::to_string(s.quantMax.value_or(0)) + ',' + std::to_string(s.qscheme ? int(*s.qscheme) : -1);
    };
    if (const auto* own = ir::as<ir::QuantizationSpec>(spec))
        return "q" + range(*own) + own->observer.name + (own->isDynamic ? "d" : "");
    if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
        return "f" + range(*fixed);
    return ir::as<ir::SharedQuantizationSpec>(spec) ? "s" : "d";
}

std::string labelsOf(const ir::Node& node)
{
    const ir::Annotation* a = node.annotation().get();
    if (!a)
        return "-";
    std::string out = a->annotated ? "a" : "n";
    for (const auto& [upstream, spec] : a->inputs)
        out += '|' + kindOf(spec);
    return out + ">" + kindOf(a->output);
}

std::string shapeOf(const ir::Node& node)
{
    const ir::TensorMeta* val = node.val();
    if (!val)
        return {};
    std::string out = std::to_string(static_cast<int>(val->dtype));
    for (const ir::Dim& dim : val->shape)
        out += 'x' + (dim.symbol.empty() ? std::to_string(dim.size) : dim.symbol);
    return out;
}

class Collector {
public:
    Collector(const UnionGraph& graph, const Tucked& tucked, const FirstNodes& nodes, const ir::Graph* annotated)
        : m_graph(graph)
        , m_nodes(nodes)
        , m_annotated(annotated)
        , m_sources(graph.cells().size())
        , m_targets(graph.cells().size())
    {
        m_out.host = tucked.host;
        for (const UnionGraph::Edge& e : graph.edges()) {
            m_sources[at(e.to)].push_back(e.from);
            m_targets[at(e.from)].push_back(e.to);
        }
    }

    ModuleInput run()
    {
        const std::size_t count = m_graph.cells().size();
        m_out.stacks.resize(count);
        std::vector<int> homeless;
        for (std::size_t i = 0; i < count; ++i) {
            const ir::Node* node = nodeOf(static_cast<int>(i));
            const bool computes = node && !m_graph.cells()[i].slot
                                  && (node->op() == ir::Op::CallFunction || node->op() == ir::Op::CallMethod);
            m_out.isOp.push_back(computes);
            m_out.name.push_back(node ? node->name() : std::string());
            m_out.signature.push_back(signatureOf(node, m_graph.cells()[i].slot));
            if (computes)
                m_out.stacks[i] = stackOf(*node);
            if (!computes || m_out.stacks[i].empty())
                homeless.push_back(static_cast<int>(i));
        }
        // slots from the back: the one next to the op knows it first
        for (const int cell : homeless)
            if (!m_graph.cells()[at(cell)].slot)
                settle(cell);
        for (auto cell = homeless.rbegin(); cell != homeless.rend(); ++cell)
            if (m_graph.cells()[at(*cell)].slot)
                m_out.stacks[at(*cell)] = m_out.stacks[at(servedBy(*cell))];
        return std::move(m_out);
    }

private:
    [[nodiscard]] const ir::Node* nodeOf(int cell) const
    {
        const auto found = m_nodes.find(m_graph.cells()[at(cell)].nodes[0]);
        return found == m_nodes.end() ? nullptr : found->second;
    }

    std::vector<int> stackOf(const ir::Node& node)
    {
        std::vector<int> out;
        for (const ir::ModuleFrame& frame : node.meta().nnModuleStack) {
            const std::string path = modulePath(frame.path);
            if (path.empty() || out.size() == kDeepest)
                continue;
            const auto [found, isNew] = m_known.try_emplace(path, static_cast<int>(m_out.modules.size()));
            if (isNew)
                m_out.modules.push_back({path, frame.type});
            out.push_back(found->second);
        }
        return out;
    }

    int signatureOf(const ir::Node* node, bool slot)
    {
        std::string text = slot ? "slot" : node ? std::to_string(static_cast<int>(node->op())) : "?";
        if (node && !slot) {
            if (node->op() == ir::Op::CallFunction || node->op() == ir::Op::CallMethod)
                text += node->target();
            text += shapeOf(*node);
            const ir::Node* labelled = m_annotated ? m_annotated->find(node->id()) : nullptr;
            text += labelled ? labelsOf(*labelled) : std::string();
        }
        return m_signatures.try_emplace(text, static_cast<int>(m_signatures.size())).first->second;
    }

    /// A constant with several users, or an op that a pass put in without saying where: inside of what all around it
    /// share.
    void settle(int cell)
    {
        const ir::Node* node = nodeOf(cell);
        if (!node || node->op() == ir::Op::Placeholder || node->op() == ir::Op::Output || m_out.host[at(cell)] != cell)
            return;
        std::vector<int> all = m_targets[at(cell)];
        all.insert(all.end(), m_sources[at(cell)].begin(), m_sources[at(cell)].end());
        bool first = true;
        std::vector<int> common;
        for (int other : all) {
            if (m_graph.cells()[at(other)].slot)
                other = m_targets[at(other)].empty() ? other : m_targets[at(other)][0];
            const std::vector<int>& stack = m_out.stacks[at(other)];
            if (first)
                common = stack;
            first = false;
            std::size_t same = 0;
            while (same < common.size() && same < stack.size() && common[same] == stack[same])
                ++same;
            common.resize(same);
        }
        m_out.stacks[at(cell)] = std::move(common);
    }

    /// The op that an observer or q/dq is there for.
    [[nodiscard]] int servedBy(int slot) const
    {
        const int producer = up(slot);
        const int consumer = down(slot);
        if (m_targets[at(slot)].size() != 1 || consumer == slot)
            return producer;
        const ir::Node* node = nodeOf(producer);
        const ir::Node* labelled = node && m_annotated ? m_annotated->find(node->id()) : nullptr;
        return labelled && labelled->annotation() && labelled->annotation()->output ? producer : consumer;
    }

    [[nodiscard]] int up(int cell) const
    {
        for (int steps = 0; steps < 64 && m_graph.cells()[at(cell)].slot && !m_sources[at(cell)].empty(); ++steps)
            cell = m_sources[at(cell)][0];
        return cell;
    }
    [[nodiscard]] int down(int cell) const
    {
        for (int steps = 0; steps < 64 && m_graph.cells()[at(cell)].slot && !m_targets[at(cell)].empty(); ++steps)
            cell = m_targets[at(cell)][0];
        return cell;
    }

    const UnionGraph& m_graph;
    const FirstNodes& m_nodes;
    const ir::Graph* m_annotated;
    ModuleInput m_out;
    std::vector<std::vector<int>> m_sources;
    std::vector<std::vector<int>> m_targets;
    std::map<std::string, int> m_known;
    std::map<std::string, int> m_signatures;
};

} // namespace

ModuleInput moduleInput(const UnionGraph& graph, const Tucked& tucked, const FirstNodes& nodes,
                        const ir::Graph* annotated)
{
    return Collector(graph, tucked, nodes, annotated).run();
}

} // namespace gb::views
