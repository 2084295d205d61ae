#include "passes/constant_folder.h"

#include "base/message.h"
#include "ir/purity.h"
#include "ops/mutation.h"
#include "passes/insert_observers.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using ir::Argument;
using ir::Node;
using ir::NodeId;
using ops::Value;
using ops::ValueList;

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// An OpOverload's text has two dots at least; "scan" and "<built-in function getitem>" have none.
bool isOpOverload(const Node& node)
{
    return node.op() == ir::Op::CallFunction && std::ranges::count(node.target(), '.') >= 2;
}

bool isHigherOrder(const Node& node)
{
    return node.op() == ir::Op::CallFunction && !isOpOverload(node) && !node.target().starts_with('<');
}

/// _find_mutable_buffers
std::unordered_set<const Node*> mutableBuffers(const ir::GraphModule& model)
{
    const auto isMutable = [&model](const Node* n) {
        const ir::Attribute* a = n->op() == ir::Op::GetAttr ? model.attribute(n->target()) : nullptr;
        return n->op() == ir::Op::Placeholder || (a && a->kind != ir::AttributeKind::Parameter);
    };
    std::unordered_set<const Node*> out;
    for (const Node* n = model.graph().first(); n; n = n->next()) {
        if (!isOpOverload(*n) || !(contains(n->target(), "copy_") || contains(n->target(), "put_")))
            continue;
        const Node* destination = model.graph().find(n->arg(0).nodeId());
        const auto producers = destination ? producersOf(model.graph(), destination) : std::nullopt;
        if (producers && std::ranges::any_of(*producers, isMutable))
            out.insert(producers->begin(), producers->end());
    }
    return out;
}

class Folder {
public:
    Folder(const ir::GraphModule& model, PassContext& context)
        : m_model(model)
        , m_graph(model.graph())
        , m_context(context)
        , m_mutable(mutableBuffers(model))
        , m_written(ops::findMutations(model, context.kernels).attributes)
        , m_kernelContext(context.opsContext())
    {
    }

    Result<ConstantValues> run()
    {
        findCandidates();
        for (Node* node : m_graph.nodes()) {
            if (m_context.work.cancelled())
                return Error{ErrorCode::Cancelled, "stopped by the user", {}};
            if (!m_needed.contains(node->id()))
                continue;
            GB_TRY(compute(*node));
            if (const Value* value = valueOf(node->id()); value && isQuantize(*node) && value->tensor())
                m_out.quantized.emplace_back(node, *value->tensor());
        }
        return std::move(m_out);
    }

private:
    /// Nodes that hang on no input, and of these the ones that a quantize or an in-place op is computed from.
    void findCandidates()
    {
        std::unordered_set<NodeId> constant;
        std::vector<const Node*> wanted;
        for (const Node* n = m_graph.first(); n; n = n->next()) {
            const bool known = n->op() == ir::Op::GetAttr
                               || (n->op() == ir::Op::CallFunction && !n->inputs().empty() && !isHigherOrder(*n)
                                   && !isDequantize(*n) && std::ranges::all_of(n->inputs(), [&](const Node* input) {
                                          return constant.contains(input->id());
                                      }));
            if (!known)
                continue;
            constant.insert(n->id());
            if (isQuantize(*n) || (n->op() == ir::Op::CallFunction && ir::writesFirstArgument(n->target())))
                wanted.push_back(n);
        }
        while (!wanted.empty()) {
            const Node* next = wanted.back();
            wanted.pop_back();
            if (m_needed.insert(next->id()).second)
                wanted.insert(wanted.end(), next->inputs().begin(), next->inputs().end());
        }
    }

    [[nodiscard]] const Value* valueOf(NodeId id) const
    {
        const auto found = m_values.find(id);
        return found == m_values.end() ? nullptr : &found->second;
    }

    /// ConstantFolder.run_node; a node without an entry in m_values is unknown.
    Status compute(const Node& node)
    {
        if (node.op() == ir::Op::GetAttr) {
            if (const auto sub = m_model.subgraph(node.target()))
                m_values[node.id()] = Value(ops::SubgraphPtr(sub));
            else if (const ir::Attribute* attribute = m_model.attribute(node.target()))
                m_values[node.id()] = Value(attributeValue(node.target(), attribute->value));
            return {};
        }
        for (const Node* input : node.inputs())
            if (!valueOf(input->id()))
                return {};
        ValueList args;
        for (const Argument& argument : node.args())
            args.push_back(resolve(argument));
        ops::NamedValues kwargs;
        for (const auto& [key, argument] : node.kwargs())
            kwargs.emplace_back(key, resolve(argument));
        // constructors and ops on plain numbers stay; so do random ones
        if (!holdsTensor(Value(args)) || (isImpure(node) && !ir::writesFirstArgument(node.target())))
            return {};
        auto value = m_context.kernels.evaluate(m_kernelContext, node.target(), std::move(args), std::move(kwargs));
        if (!value)
            return value.error().in("node " + node.name());
        if (!value->tensor() || !readsMutableBuffer(node))
            m_values[node.id()] = std::move(value).value();
        return {};
    }

    /// The attribute, or where in-place ops write to it a copy that all its get_attr nodes share.
    ir::Tensor attributeValue(const std::string& name, const ir::Tensor& value)
    {
        if (!m_written.contains(name))
            return value;
        return m_out.written.try_emplace(name, value.clone()).first->second;
    }

    /// ConstantFolder.is_impure: the arguments themselves count, not what lists hold
    [[nodiscard]] bool readsMutableBuffer(const Node& node) const
    {
        return std::ranges::any_of(node.args(), [this](const Argument& argument) {
            const Node* input = m_graph.find(argument.nodeId());
            return input && m_mutable.contains(input);
        });
    }

    static bool holdsTensor(const Value& value)
    {
        if (const ValueList* items = value.list())
            return std::ranges::any_of(*items, holdsTensor);
        return value.tensor() != nullptr;
    }

    [[nodiscard]] Value resolve(const Argument& argument) const
    {
        if (const auto* ref = argument.as<ir::NodeRef>())
            return *valueOf(ref->id);
        if (const auto* sequence = argument.as<ir::Sequence>()) {
            ValueList items;
            for (const Argument& item : sequence->items)
                items.push_back(resolve(item));
            return items;
        }
        return std::visit(
            [](const auto& v) -> Value {
                using T = std::decay_t<decltype(v)>;
                if constexpr (std::is_constructible_v<Value, const T&> && !std::is_same_v<T, ir::None>)
                    return Value(v);
                else
                    return Value();
            },
            argument.value);
    }

    const ir::GraphModule& m_model;
    const ir::Graph& m_graph;
    PassContext& m_context;
    std::unordered_set<const Node*> m_mutable;
    std::set<std::string> m_written;
    ops::Context m_kernelContext;
    std::unordered_set<NodeId> m_needed;
    std::unordered_map<NodeId, Value> m_values;
    ConstantValues m_out;
};

} // namespace

Result<ConstantValues> computeConstants(const ir::GraphModule& model, PassContext& context)
{
    return Folder(model, context).run();
}

} // namespace gb::passes
