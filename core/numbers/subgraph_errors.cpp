#include "numbers/subgraph_errors.h"

#include "ops/interpreter.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gb::numbers {
namespace {

using ir::Node;
using ir::NodeId;
using ir::Tensor;

/// Beyond this the rounds that follow are not measured.
constexpr std::size_t kMostBytes = std::size_t(1) << 30U;

/// The node that holds what an op's users see, in the converted graph.
NodeId endOf(const Node& op)
{
    for (const Node* user : op.users())
        if (passes::isQuantize(*user) && user->arg(0).nodeId() == op.id() && !user->users().empty()
            && passes::isDequantize(*user->users().front()))
            return user->users().front()->id();
    return op.id();
}

bool isOp(const Node& node)
{
    return node.op() == ir::Op::CallFunction && !node.target().starts_with("quantized_decomposed");
}

/// Ops of the sub-graphs below a module: where their values stand in the converted model.
void findOps(const ir::GraphModule& floats, const ir::GraphModule& converted, bool top,
             std::unordered_map<NodeId, NodeId>& ends)
{
    if (!top)
        for (const Node* node = floats.graph().first(); node; node = node->next()) {
            const Node* twin = converted.graph().find(node->id());
            if (isOp(*node) && twin && twin->target() == node->target())
                ends[endOf(*twin)] = node->id();
        }
    for (const auto& [target, sub] : floats.subgraphs())
        if (const auto other = converted.subgraph(target))
            findOps(*sub, *other, false, ends);
}

using Place = std::pair<NodeId, int>; ///< an op and its round

class Keeper final : public ops::RunListener {
public:
    Keeper(const std::unordered_map<NodeId, NodeId>& ends, std::vector<OpError>& rows,
           std::unordered_map<NodeId, std::size_t>& rowOf)
        : m_rows(rows)
        , m_rowOf(rowOf)
    {
        for (const auto& [end, op] : ends)
            m_rounds[op] = 0;
    }
    void nodeFinished(const Node& node, const ops::Value& value) override
    {
        const auto round = m_rounds.find(node.id());
        if (round == m_rounds.end() || !value.tensor())
            return;
        const int at = round->second++;
        if (m_bytes > kMostBytes)
            return;
        m_bytes += value.tensor()->byteCount();
        values.emplace(Place(node.id(), at), value.tensor()->clone());
        if (m_rowOf.try_emplace(node.id(), m_rows.size()).second) {
            OpError row;
            row.node = node.id();
            row.graph = node.graph().path();
            row.name = row.graph + "." + node.name();
            row.target = node.target();
            row.module = node.meta().nnModuleStack.empty() ? "" : node.meta().nnModuleStack.back().path;
            m_rows.push_back(std::move(row));
        }
    }
    std::map<Place, Tensor> values;

private:
    std::unordered_map<NodeId, int> m_rounds;
    std::vector<OpError>& m_rows;
    std::unordered_map<NodeId, std::size_t>& m_rowOf;
    std::size_t m_bytes = 0;
};

class Comparer final : public ops::RunListener {
public:
    Comparer(const std::unordered_map<NodeId, NodeId>& ends, std::map<Place, Tensor> exact, std::vector<OpError>& rows,
             const std::unordered_map<NodeId, std::size_t>& rowOf)
        : m_ends(ends)
        , m_exact(std::move(exact))
        , m_rows(rows)
        , m_rowOf(rowOf)
    {
    }
    void nodeFinished(const Node& node, const ops::Value& value) override
    {
        const auto end = m_ends.find(node.id());
        if (end == m_ends.end() || !value.tensor())
            return;
        const auto exact = m_exact.find(Place(end->second, m_rounds[end->second]++));
        if (exact == m_exact.end())
            return;
        m_rows[m_rowOf.at(end->second)].cumulative.add(exact->second, *value.tensor());
        m_exact.erase(exact);
    }

private:
    const std::unordered_map<NodeId, NodeId>& m_ends;
    std::map<Place, Tensor> m_exact;
    std::vector<OpError>& m_rows;
    const std::unordered_map<NodeId, std::size_t>& m_rowOf;
    std::unordered_map<NodeId, int> m_rounds;
};

} // namespace

base::Result<std::vector<OpError>> subgraphErrors(const ir::GraphModule& floats, const ir::GraphModule& converted,
                                                  const std::vector<engine::Batch>& batches, unsigned threads,
                                                  const base::Work& work)
{
    std::vector<OpError> rows;
    std::unordered_map<NodeId, NodeId> ends; // node of the converted model -> op
    findOps(floats, converted, true, ends);
    if (ends.empty())
        return rows;
    const auto kernels = ops::KernelTable::shared();
    ops::Interpreter exact(floats.clone(), kernels, threads);
    ops::Interpreter quantized(converted.clone(), kernels, threads);
    std::unordered_map<NodeId, std::size_t> rowOf;
    for (const engine::Batch& batch : batches) {
        const base::Work quiet{work.stop, {}};
        Keeper keeper(ends, rows, rowOf);
        GB_TRY(exact.run(batch, quiet, &keeper));
        Comparer comparer(ends, std::move(keeper.values), rows, rowOf);
        GB_TRY(quantized.run(batch, quiet, &comparer));
    }
    return rows;
}

} // namespace gb::numbers
