#include "numbers/probe.h"

#include "ops/kernel_table.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <unordered_map>

namespace gb::numbers {
namespace {

using ir::Argument;
using ir::kNoNode;
using ir::Node;
using ir::NodeId;
using ir::Op;

using Substitution = std::unordered_map<NodeId, NodeId>;
/// Node numbers of a call's arguments, in the order of ir::forEachNode.
using References = std::vector<NodeId>;

References referencesOf(const Node& node)
{
    References out;
    const auto visit = [&out](NodeId id) { out.push_back(id); };
    for (const Argument& argument : node.args())
        ir::forEachNode(argument, visit);
    for (const auto& [name, argument] : node.kwargs())
        ir::forEachNode(argument, visit);
    return out;
}

class Builder {
public:
    Builder(const ir::GraphModule& floats, const ir::GraphModule& converted)
        : m_floats(floats)
        , m_converted(converted)
        , m_kernels(ops::KernelTable::shared())
        , m_nextConverted(converted.graph().first())
    {
        m_probe.module = floats.clone();
    }

    Probe build()
    {
        for (Node* node : graph().nodes()) {
            if (node->op() == Op::Output)
                break;
            m_before = node->next();
            const Node* original = m_floats.graph().find(node->id());
            if (const auto plain = plainTarget(*original))
                graph().setTarget(node, *plain);
            if (const Node* twin = twinOf(*original))
                addOp(*original, *twin);
        }
        return std::move(m_probe);
    }

private:
    ir::Graph& graph() { return m_probe.module->graph(); }

    /// The converted graph's node of the same op, where both take the same things.
    const Node* twinOf(const Node& node) const
    {
        const Node* twin = m_converted.graph().find(node.id());
        if (!twin || twin->target() != node.target() || !node.val())
            return nullptr;
        if (node.op() == Op::Placeholder)
            return quantizeOf(*twin) ? twin : nullptr;
        if (node.op() != Op::CallFunction || !m_kernels->find(node.target()))
            return nullptr;
        const References exact = referencesOf(node);
        const References quantized = referencesOf(*twin);
        if (exact.size() != quantized.size())
            return nullptr;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const Node* from = source(m_converted.graph().find(quantized[i]));
            const Node* wanted = m_floats.graph().find(exact[i]);
            if (from->id() != wanted->id() && !(isConstant(*from) && isConstant(*wanted)))
                return nullptr;
        }
        return twin;
    }

    /// Back through quantize and dequantize.
    const Node* source(const Node* node) const
    {
        while (passes::isQuantize(*node) || passes::isDequantize(*node) || node->calls(passes::kConvertElementType))
            node = node->graph().find(node->arg(0).nodeId());
        return node;
    }

    /// True for what hangs on attributes alone.
    static bool isConstant(const Node& node)
    {
        if (node.op() == Op::GetAttr)
            return true;
        if (node.op() != Op::CallFunction || node.inputs().empty())
            return false;
        return std::ranges::all_of(node.inputs(), [](const Node* input) { return isConstant(*input); });
    }

    /// "aten.relu.default" for "aten.relu_.default" where nobody reads its argument afterwards.
    std::optional<std::string> plainTarget(const Node& node) const
    {
        if (node.op() != Op::CallFunction || ops::mutatedArguments(node.target()) == 0)
            return std::nullopt;
        const std::size_t mark = node.target().find("_.");
        const Node* written = node.graph().find(node.arg(0).nodeId());
        if (mark == std::string::npos || !written || written->op() != Op::CallFunction || written->users().size() != 1)
            return std::nullopt;
        const ops::KernelEntry* writer = m_kernels->find(written->target());
        if (!writer || writer->row.alias == ops::Alias::Maybe)
            return std::nullopt;
        std::string plain = node.target();
        plain.erase(mark, 1);
        return m_kernels->find(plain) ? std::optional(plain) : std::nullopt;
    }

    void addOp(const Node& exact, const Node& twin)
    {
        const Node* quantize = quantizeOf(twin);
        const Node* end = quantize ? quantize->users().front() : &twin;
        copyUpTo(end);
        OpProbes probes;
        probes.op = exact.id();
        probes.cumulative = m_copies.at(end->id());
        const bool plain = ops::mutatedArguments(twin.target()) == 0 || plainTarget(twin);
        if (plain && twin.op() == Op::CallFunction)
            addSteps(exact, twin, probes);
        probes.local = probes.weightsOnly;
        if (quantize) {
            probes.quantize = quantize->id();
            probes.outputOnly = exactly(end->id());
            probes.local =
                probes.weightsOnly == kNoNode ? probes.outputOnly : with(end->id(), {{twin.id(), probes.weightsOnly}});
        }
        m_probe.ops.push_back(probes);
    }

    /// The quantize node of an op's output that has a dequantize; null where there is none.
    static const Node* quantizeOf(const Node& node)
    {
        for (const Node* user : node.users())
            if (passes::isQuantize(*user) && !user->users().empty() && user->arg(0).nodeId() == node.id()
                && passes::isDequantize(*user->users().front()))
                return user;
        return nullptr;
    }

    /// The op alone, with its inputs or its weights quantized.
    void addSteps(const Node& exact, const Node& twin, OpProbes& probes)
    {
        const References from = referencesOf(exact);
        const References to = referencesOf(twin);
        References inputs = from;
        References weights = from;
        for (std::size_t i = 0; i < from.size(); ++i)
            (isConstant(*m_floats.graph().find(from[i])) ? weights : inputs)[i] = exactly(to[i]);
        if (inputs != from)
            probes.inputsOnly = call(twin, inputs);
        if (weights != from)
            probes.weightsOnly = call(twin, weights);
    }

    NodeId call(const Node& like, const References& references)
    {
        std::size_t next = 0;
        return insert(like, like.target(), [&](NodeId) { return Argument::node(references[next++]); });
    }

    template <class Map>
    NodeId insert(const Node& like, const std::string& target, Map map)
    {
        ir::NewNode node{.op = like.op(), .target = target};
        for (const Argument& argument : like.args())
            node.args.push_back(ir::mapNodes(argument, map));
        for (const auto& [name, argument] : like.kwargs())
            node.kwargs.emplace_back(name, ir::mapNodes(argument, map));
        if (const auto plain = plainTarget(like))
            node.target = *plain;
        return graph().insertBefore(m_before, std::move(node))->id();
    }

    /// The converted graph in its own order, with its own attributes.
    void copyUpTo(const Node* last)
    {
        if (m_copies.contains(last->id()))
            return;
        for (bool more = true; more; m_nextConverted = m_nextConverted->next()) {
            more = m_nextConverted != last;
            m_copies[m_nextConverted->id()] = copy(*m_nextConverted);
        }
    }

    NodeId copy(const Node& node)
    {
        if (node.op() == Op::Placeholder)
            return node.id();
        std::string target = node.target();
        if (node.op() == Op::GetAttr) {
            const std::string own = "converted." + target;
            if (const ir::Attribute* attribute = m_converted.attribute(target))
                m_probe.module->setAttribute(own, *attribute);
            else if (const auto sub = m_converted.subgraph(target))
                m_probe.module->setSubgraph(own, sub);
            target = own;
        }
        return insert(node, target, [this](NodeId id) { return Argument::node(m_copies.at(id)); });
    }

    /// A value of the converted graph's edge when everything before its quantization is exact.
    NodeId exactly(NodeId id)
    {
        const Node* node = m_converted.graph().find(id);
        const Node* twin = m_floats.graph().find(id);
        if (twin && twin->target() == node->target())
            return id;
        if (isConstant(*node)) {
            copyUpTo(node);
            return m_copies.at(id);
        }
        const auto known = m_exact.find(id);
        if (known != m_exact.end())
            return known->second;
        const NodeId made = with(id, {});
        m_exact[id] = made;
        return made;
    }

    /// The same with some nodes put in place of others; what does not hang on these is exact.
    NodeId with(NodeId id, const Substitution& values)
    {
        if (const auto given = values.find(id); given != values.end())
            return given->second;
        const Node* node = m_converted.graph().find(id);
        const Node* twin = m_floats.graph().find(id);
        if ((twin && twin->target() == node->target()) || isConstant(*node))
            return exactly(id);
        References made;
        for (const NodeId input : referencesOf(*node))
            made.push_back(values.empty() ? exactly(input) : with(input, values));
        return call(*node, made);
    }

    const ir::GraphModule& m_floats;
    const ir::GraphModule& m_converted;
    std::shared_ptr<const ops::KernelTable> m_kernels;
    Probe m_probe;
    const Node* m_nextConverted;
    Node* m_before = nullptr; ///< new nodes stand before it
    Substitution m_copies;    ///< converted node -> its copy in the probe
    Substitution m_exact;     ///< converted node -> its probe with exact inputs
};

} // namespace

Probe makeProbe(const ir::GraphModule& floats, const ir::GraphModule& converted)
{
    return Builder(floats, converted).build();
}

} // namespace gb::numbers
