#include "ops/mutation.h"

#include "ops/kernels/control_flow.h"

#include <vector>

namespace gb::ops {
namespace {

constexpr int kMostNesting = 64;

class Finder {
public:
    Finder(const ir::GraphModule& module, const KernelTable& table, int depth)
        : m_module(module)
        , m_table(table)
        , m_depth(depth)
    {
    }

    Mutations find()
    {
        for (const ir::Node* node = m_module.graph().first(); node; node = node->next()) {
            if (node->op() == ir::Op::Placeholder)
                m_inputs.emplace_back(node->id());
            if (node->op() != ir::Op::CallFunction)
                continue;
            const unsigned mutated = mutatedArguments(node->target());
            for (std::size_t i = 0; i < node->args().size() && i < 8; ++i)
                if ((mutated >> i & 1U) != 0)
                    traceArgument(node->args()[i]);
            if (runsSubgraphs(node->target()) && anySubgraphWrites(*node))
                traceInputs(*node);
        }
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            if (m_out.copies.contains(m_inputs[i]))
                m_out.inputs.insert(i);
        return std::move(m_out);
    }

private:
    void traceArgument(const ir::Argument& argument)
    {
        ir::forEachNode(argument, [&](ir::NodeId id) { trace(m_module.graph().find(id)); });
    }

    void traceInputs(const ir::Node& node)
    {
        for (const ir::Node* input : node.inputs())
            trace(input);
    }

    /// Back to where the memory of a node's value comes from; without recursion, since chains may be long.
    void trace(const ir::Node* start)
    {
        std::vector<const ir::Node*> open{start};
        while (!open.empty()) {
            const ir::Node* node = open.back();
            open.pop_back();
            if (!node || !m_seen.insert(node->id()).second)
                continue;
            if (node->op() == ir::Op::GetAttr)
                m_out.attributes.insert(node->target());
            if (node->op() == ir::Op::GetAttr || node->op() == ir::Op::Placeholder) {
                m_out.copies.insert(node->id());
                continue;
            }
            const std::vector<ir::Node*> next = sources(*node);
            open.insert(open.end(), next.begin(), next.end());
        }
    }

    /// The nodes whose memory this one's value may look into.
    std::vector<ir::Node*> sources(const ir::Node& node)
    {
        if (node.op() == ir::Op::CallModule)
            return node.inputs();
        if (node.op() != ir::Op::CallFunction)
            return {};
        if (runsSubgraphs(node.target()))
            return node.inputs();
        const KernelEntry* entry = m_table.find(node.target());
        const bool alias = entry && entry->row.alias != Alias::No;
        std::vector<ir::Node*> out;
        if (alias && !node.args().empty())
            ir::forEachNode(node.args()[0], [&](ir::NodeId id) { out.push_back(m_module.graph().find(id)); });
        return out;
    }

    bool anySubgraphWrites(const ir::Node& node)
    {
        if (m_depth >= kMostNesting)
            return true;
        for (const ir::Node* input : node.inputs()) {
            const auto subgraph = input->op() == ir::Op::GetAttr ? m_module.subgraph(input->target()) : nullptr;
            if (subgraph && !Finder(*subgraph, m_table, m_depth + 1).find().inputs.empty())
                return true;
        }
        return false;
    }

    const ir::GraphModule& m_module;
    const KernelTable& m_table;
    int m_depth;
    Mutations m_out;
    std::vector<ir::NodeId> m_inputs;
    std::set<ir::NodeId> m_seen;
};

} // namespace

Mutations findMutations(const ir::GraphModule& module, const KernelTable& table)
{
    return Finder(module, table, 0).find();
}

} // namespace gb::ops
