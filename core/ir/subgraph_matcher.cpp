#include "ir/subgraph_matcher.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace gb::ir {
namespace {

struct Parameter {
    std::string_view name;
    Argument fallback; ///< None where the schema has no default
};

/// The schema's arguments of the ops that patterns are made of; empty for another op.
std::vector<Parameter> schemaOf(std::string_view target)
{
    const Argument none;
    const auto conv = [&](int rank, bool transposed) {
        const Argument one = Argument::list(std::vector<Argument>(static_cast<std::size_t>(rank), Argument(1)));
        const Argument zero = Argument::list(std::vector<Argument>(static_cast<std::size_t>(rank), Argument(0)));
        std::vector<Parameter> out = {
            {"input", none}, {"weight", none}, {"bias", none}, {"stride", one}, {"padding", zero}};
        if (transposed)
            out.insert(out.end(), {{"output_padding", zero}, {"groups", Argument(1)}, {"dilation", one}});
        else
            out.insert(out.end(), {{"dilation", one}, {"groups", Argument(1)}});
        return out;
    };
    if (target == "aten.conv1d.default")
        return conv(1, false);
    if (target == "aten.conv2d.default")
        return conv(2, false);
    if (target == "aten.conv_transpose1d.default")
        return conv(1, true);
    if (target == "aten.conv_transpose2d.input")
        return conv(2, true);
    if (target == "aten.batch_norm.default")
        return {{"input", none},    {"weight", none},   {"bias", none}, {"running_mean", none}, {"running_var", none},
                {"training", none}, {"momentum", none}, {"eps", none},  {"cudnn_enabled", none}};
    if (target == "aten.relu.default" || target == "aten.relu_.default")
        return {{"self", none}};
    if (target == "quantized_decomposed.dequantize_per_tensor.default")
        return {{"input", none},     {"scale", none}, {"zero_point", none}, {"quant_min", none},
                {"quant_max", none}, {"dtype", none}, {"out_dtype", none}};
    if (target == "quantized_decomposed.dequantize_per_channel.default")
        return {{"input", none},     {"scales", none},    {"zero_points", none}, {"axis", none},
                {"quant_min", none}, {"quant_max", none}, {"dtype", none},       {"out_dtype", none}};
    return {};
}

bool sameKeywords(const Node& a, const Node& b)
{
    return std::ranges::equal(
        a.kwargs(), b.kwargs(), {}, [](const auto& pair) { return pair.first; },
        [](const auto& pair) { return pair.first; });
}

std::vector<Argument> plainArguments(const Node& node)
{
    std::vector<Argument> out = node.args();
    for (const auto& [name, value] : node.kwargs())
        out.push_back(value);
    return out;
}

std::vector<Argument> allArguments(const Node& node, const std::vector<Parameter>& schema)
{
    std::vector<Argument> out;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const auto keyword = std::ranges::find(node.kwargs(), schema[i].name,
                                               [](const auto& pair) { return std::string_view(pair.first); });
        if (keyword != node.kwargs().end())
            out.push_back(keyword->second);
        else
            out.push_back(i < node.args().size() ? node.args()[i] : schema[i].fallback);
    }
    return out;
}

/// One try to lay the pattern over the graph, from the anchor up.
class Attempt {
public:
    Attempt(const Graph& pattern, const Graph& graph)
        : m_pattern(pattern)
        , m_graph(graph)
    {
    }

    bool matchNodes(const Node* pattern, const Node* node)
    {
        if (const Argument* known = find(pattern))
            return *known == Argument::node(node->id());
        if (isTaken(node))
            return false;
        const bool wildcard = pattern->op() == Op::Placeholder;
        if (!wildcard && (pattern->op() != node->op() || pattern->target() != node->target()))
            return false;
        nodes.emplace_back(pattern, Argument::node(node->id()));
        return wildcard || matchArguments(*pattern, *node);
    }

    std::vector<std::pair<const Node*, Argument>> nodes;

private:
    [[nodiscard]] const Argument* find(const Node* pattern) const
    {
        const auto found = std::ranges::find(nodes, pattern, [](const auto& pair) { return pair.first; });
        return found == nodes.end() ? nullptr : &found->second;
    }

    [[nodiscard]] bool isTaken(const Node* node) const
    {
        return std::ranges::any_of(nodes, [&](const auto& pair) { return pair.second.nodeId() == node->id(); });
    }

    bool matchArguments(const Node& pattern, const Node& node)
    {
        if (pattern.args().size() == node.args().size() && sameKeywords(pattern, node))
            return matchLists(plainArguments(pattern), plainArguments(node));
        const std::vector<Parameter> schema = schemaOf(pattern.target());
        return !schema.empty() && matchLists(allArguments(pattern, schema), allArguments(node, schema));
    }

    bool matchLists(const std::vector<Argument>& pattern, const std::vector<Argument>& node)
    {
        if (pattern.size() != node.size())
            return false;
        for (std::size_t i = 0; i < pattern.size(); ++i)
            if (!matchValue(pattern[i], node[i]))
                return false;
        return true;
    }

    bool matchValue(const Argument& pattern, const Argument& value)
    {
        const Node* patternNode = m_pattern.find(pattern.nodeId());
        const Node* node = m_graph.find(value.nodeId());
        if (patternNode && node)
            return matchNodes(patternNode, node);
        const auto* patternList = pattern.as<Sequence>();
        const auto* list = value.as<Sequence>();
        if (patternList && list)
            return matchLists(patternList->items, list->items);
        // a literal: a placeholder takes it; else it is ignored (ignore_literals)
        if (patternNode && patternNode->op() == Op::Placeholder && !find(patternNode))
            nodes.emplace_back(patternNode, value);
        return true;
    }

    const Graph& m_pattern;
    const Graph& m_graph;
};

/// _is_contained: only the returned node is used outside.
bool isContained(const Attempt& attempt, const Graph& graph, const Node* returned)
{
    std::unordered_set<NodeId> inside;
    for (const auto& [pattern, value] : attempt.nodes)
        if (pattern->op() != Op::Placeholder)
            inside.insert(value.nodeId());
    return std::ranges::all_of(attempt.nodes, [&](const auto& pair) {
        if (pair.first->op() == Op::Placeholder || pair.first == returned)
            return true;
        const Node* node = graph.find(pair.second.nodeId());
        return std::ranges::all_of(node->users(), [&](const Node* user) { return inside.contains(user->id()); });
    });
}

/// _remove_overlapping_matches: true, and takes the nodes, where none of them is in an earlier match.
bool claim(const Attempt& attempt, std::unordered_set<NodeId>& taken)
{
    std::vector<NodeId> mine;
    for (const auto& [pattern, value] : attempt.nodes)
        if (pattern->op() != Op::Placeholder)
            mine.push_back(value.nodeId());
    if (std::ranges::any_of(mine, [&](NodeId id) { return taken.contains(id); }))
        return false;
    taken.insert(mine.begin(), mine.end());
    return true;
}

} // namespace

const Node* Pattern::returned() const
{
    const Node* output = graph->output();
    return output && !output->inputs().empty() ? output->inputs().front() : nullptr;
}

const Node* Pattern::named(const std::string& name) const
{
    const auto found = std::ranges::find(names, name, [](const auto& pair) { return pair.first; });
    return found == names.end() ? nullptr : found->second;
}

Node* PatternMatch::node(const Graph& graph, const std::string& name) const
{
    const auto found = named.find(name);
    return found == named.end() ? nullptr : graph.find(found->second.nodeId());
}

std::vector<PatternMatch> matchPattern(const Pattern& pattern, const Graph& graph)
{
    std::vector<PatternMatch> out;
    const Node* anchor = pattern.returned();
    std::unordered_set<NodeId> taken;
    for (const Node* node = graph.first(); anchor && node; node = node->next()) {
        Attempt attempt(*pattern.graph, graph);
        if (!attempt.matchNodes(anchor, node) || !isContained(attempt, graph, anchor) || !claim(attempt, taken))
            continue;
        PatternMatch match{pattern.graph, std::move(attempt.nodes), {}};
        for (const auto& [name, patternNode] : pattern.names) {
            const auto found = std::ranges::find(match.nodes, patternNode, [](const auto& pair) { return pair.first; });
            match.named.emplace(name, found == match.nodes.end() ? Argument() : found->second);
        }
        out.push_back(std::move(match));
    }
    return out;
}

} // namespace gb::ir
