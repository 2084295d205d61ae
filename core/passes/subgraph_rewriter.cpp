#include "passes/subgraph_rewriter.h"

#include "ir/purity.h"
#include "passes/module_attributes.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Argument;
using ir::Node;

std::vector<const Node*> placeholders(const ir::Graph& graph)
{
    std::vector<const Node*> out;
    for (const Node* n = graph.first(); n; n = n->next())
        if (n->op() == ir::Op::Placeholder)
            out.push_back(n);
    return out;
}

class Rewriter {
public:
    Rewriter(ir::Graph& graph, const RewriteRule& rule, trace::Recorder& recorder)
        : m_graph(graph)
        , m_rule(rule)
        , m_recorder(recorder)
        , m_patternInputs(placeholders(*rule.pattern.graph))
        , m_replacementInputs(placeholders(*rule.replacement.graph))
    {
    }

    Result<Rewritten> replace(const ir::PatternMatch& match)
    {
        if (m_patternInputs.size() != m_replacementInputs.size())
            return Error{ErrorCode::AssertionError, "pattern and replacement have different numbers of inputs", {}};
        Rewritten out;
        for (const auto& [pattern, value] : match.nodes)
            out.before[pattern] = current(value);
        Node* old = out.before.at(m_rule.pattern.returned());
        Node* where = insertionPoint(old);
        if (!where)
            return Error{ErrorCode::AssertionError, "no node found to insert before", "node " + old->name()};
        const int event = m_recorder.say(m_rule.event(m_graph, match));
        Node* fresh = copyBefore(where, match, out);
        for (const Node* n = m_rule.replacement.graph->first(); n; n = n->next())
            if (const auto added = out.now.find(n); added != out.now.end())
                m_recorder.at(event).nodes.push_back(added->second->id());
        m_graph.replaceAllUses(old, fresh);
        m_successors[old->id()] = fresh;
        for (const Node* n = m_rule.pattern.graph->last(); n; n = n->previous())
            if (n->op() != ir::Op::Placeholder && n->op() != ir::Op::Output)
                m_graph.erase(out.before.at(n));
        return out;
    }

private:
    /// The node that a matched value is now; null for a literal. A placeholder may stand for a node that went.
    [[nodiscard]] Node* current(const Argument& value) const
    {
        const auto successor = m_successors.find(value.nodeId());
        return successor == m_successors.end() ? m_graph.find(value.nodeId()) : successor->second;
    }

    /// The first user in the graph's order, or what stands behind a node without users.
    [[nodiscard]] Node* insertionPoint(Node* returned) const
    {
        if (returned->users().empty())
            return returned->next();
        const std::vector<Node*>& users = returned->users();
        Node* n = m_graph.first();
        while (n && std::ranges::find(users, n) == users.end())
            n = n->next();
        return n;
    }

    /// Graph.graph_copy. Returns the copy of the node that the replacement returns.
    Node* copyBefore(Node* where, const ir::PatternMatch& match, Rewritten& out)
    {
        std::unordered_map<ir::NodeId, Argument> values;
        for (std::size_t i = 0; i < m_replacementInputs.size(); ++i) {
            const Node* node = out.before[m_patternInputs[i]];
            values[m_replacementInputs[i]->id()] =
                node ? Argument::node(node->id()) : literalOf(match, m_patternInputs[i]);
        }
        const auto mapped = [&values](const Argument& a) {
            return ir::mapNodes(a, [&values](ir::NodeId id) { return values.at(id); });
        };
        for (const Node* n = m_rule.replacement.graph->first(); n; n = n->next()) {
            if (n->op() == ir::Op::Placeholder || n->op() == ir::Op::Output)
                continue;
            ir::NewNode parts{
                .op = n->op(), .target = n->target(), .args = {}, .nameHint = n->name(), .meta = n->metaPtr()};
            for (const Argument& a : n->args())
                parts.args.push_back(mapped(a));
            for (const auto& [key, a] : n->kwargs())
                parts.kwargs.emplace_back(key, mapped(a));
            Node* copy = m_graph.insertBefore(where, std::move(parts));
            values[n->id()] = Argument::node(copy->id());
            out.now[n] = copy;
        }
        return out.now.at(m_rule.replacement.returned());
    }

    static Argument literalOf(const ir::PatternMatch& match, const Node* input)
    {
        const auto found = std::ranges::find(match.nodes, input, [](const auto& pair) { return pair.first; });
        return found == match.nodes.end() ? Argument() : found->second;
    }

    ir::Graph& m_graph;
    const RewriteRule& m_rule;
    trace::Recorder& m_recorder;
    std::vector<const Node*> m_patternInputs;
    std::vector<const Node*> m_replacementInputs;
    std::unordered_map<ir::NodeId, Node*> m_successors; ///< match_changed_node
};

} // namespace

Result<std::vector<Rewritten>> replacePattern(ir::GraphModule& model, const RewriteRule& rule,
                                              trace::Recorder& recorder)
{
    std::vector<Rewritten> out;
    std::vector<ir::PatternMatch> matches = ir::matchPattern(rule.pattern, model.graph());
    if (rule.wanted)
        std::erase_if(matches, [&](const ir::PatternMatch& match) { return !rule.wanted(model.graph(), match); });
    Rewriter rewriter(model.graph(), rule, recorder);
    for (const ir::PatternMatch& match : matches) {
        GB_ASSIGN(Rewritten done, rewriter.replace(match));
        out.push_back(std::move(done));
    }
    dropUnusedModules(model);
    GB_TRY(lint(model));
    return out;
}

} // namespace gb::passes
