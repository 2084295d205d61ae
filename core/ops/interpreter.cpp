#include "ops/interpreter.h"

#include "base/message.h"
#include "ops/checks.h"
#include "ops/constants.h"

#include <unordered_map>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using ir::Argument;
using ir::Node;
using ir::NodeId;
using ir::Op;

constexpr int kMostNesting = 64;
/// Node runs inside sub-graphs of one run(): a loop that never ends stops here at last.
constexpr std::int64_t kMostSubgraphNodes = 20'000'000;

/// What is known about a graph before it runs.
struct Plan {
    std::vector<const Node*> nodes;
    std::unordered_map<NodeId, std::vector<NodeId>> lastUsedAt; ///< values to drop after a node
    Mutations mutations;
};

Plan makePlan(const ir::GraphModule& module, const KernelTable& table)
{
    Plan plan;
    for (const Node* node = module.graph().first(); node; node = node->next())
        plan.nodes.push_back(node);
    std::unordered_map<NodeId, NodeId> last;
    for (const Node* node : plan.nodes) {
        last.emplace(node->id(), node->id());
        for (const Node* input : node->inputs())
            last[input->id()] = node->id();
    }
    for (const Node* node : plan.nodes)
        plan.lastUsedAt[last[node->id()]].push_back(node->id());
    plan.mutations = findMutations(module, table);
    return plan;
}

using Environment = std::unordered_map<NodeId, Value>;

/// A node's argument with the values of its nodes.
class Resolver {
public:
    Resolver(const Environment& values, const ir::Graph& graph)
        : m_values(values)
        , m_graph(graph)
    {
    }

    Result<Value> resolve(const Argument& argument) const
    {
        if (const auto* ref = argument.as<ir::NodeRef>()) {
            const auto found = m_values.find(ref->id);
            if (found == m_values.end())
                return Error{
                    ErrorCode::NotFound, say("value of node '{0}' is not there yet", m_graph.nameOf(ref->id)), {}};
            return found->second;
        }
        if (const auto* sequence = argument.as<ir::Sequence>())
            return resolveAll(sequence->items);
        if (const auto* mapping = argument.as<ir::Mapping>()) {
            ValueList out;
            for (const auto& item : mapping->items) {
                GB_ASSIGN(Value value, resolve(item.second));
                out.push_back(std::move(value));
            }
            return Value(std::move(out));
        }
        if (argument.as<ir::SliceArgument>())
            return Error{ErrorCode::Unsupported, "a slice as an argument, a number, text or node expected", {}};
        return plain(argument);
    }

    Result<Value> resolveAll(const std::vector<Argument>& items) const
    {
        ValueList out;
        out.reserve(items.size());
        for (const Argument& item : items) {
            GB_ASSIGN(Value value, resolve(item));
            out.push_back(std::move(value));
        }
        return Value(std::move(out));
    }

private:
    static Value plain(const Argument& argument)
    {
        if (const auto* v = argument.as<bool>())
            return *v;
        if (const auto* v = argument.as<std::int64_t>())
            return *v;
        if (const auto* v = argument.as<double>())
            return *v;
        if (const auto* v = argument.as<std::string>())
            return *v;
        if (const auto* v = argument.as<ir::DType>())
            return *v;
        if (const auto* v = argument.as<ir::Opaque>())
            return *v;
        return {};
    }

    const Environment& m_values;
    const ir::Graph& m_graph;
};

void flatten(const Value& value, ValueList& out)
{
    if (const ValueList* items = value.list()) {
        for (const Value& item : *items)
            flatten(item, out);
        return;
    }
    out.push_back(value);
}

void addMissing(const ir::GraphModule& module, const KernelTable& table, std::vector<MissingKernel>& out, int depth)
{
    for (const Node* node = module.graph().first(); node; node = node->next())
        if (node->op() == Op::CallMethod || (node->op() == Op::CallFunction && !table.find(node->target())))
            out.push_back({module.graph().path(), node->name(), node->target()});
    if (depth < kMostNesting)
        for (const auto& [name, subgraph] : module.subgraphs())
            addMissing(*subgraph, table, out, depth + 1);
}

} // namespace

std::vector<MissingKernel> checkCovered(const ir::GraphModule& module, const KernelTable& table)
{
    std::vector<MissingKernel> out;
    addMissing(module, table, out, 0);
    return out;
}

class Interpreter::Impl final : public SubgraphRunner {
public:
    Impl(std::shared_ptr<const ir::GraphModule> module, std::shared_ptr<const KernelTable> table,
         std::shared_ptr<base::Pool> pool)
        : m_module(std::move(module))
        , m_table(std::move(table))
        , m_pool(std::move(pool))
    {
    }

    Result<ValueList> run(const ValueList& inputs, const base::Work& work, RunListener* listener)
    {
        m_context.work = work;
        m_context.work.progress = {}; // progress is the graph's, not a kernel's
        m_context.pool = m_pool.get();
        m_context.runner = this;
        m_context.constants = &m_constants;
        m_work = &work;
        m_listener = listener;
        m_depth = 0;
        m_subgraphNodes = 0;
        try {
            return runGraph(*m_module, inputs);
        } catch (const std::bad_alloc&) {
            return Error{ErrorCode::RuntimeError, "not enough memory for the run", {}};
        }
    }

    Result<ValueList> runSubgraph(const SubgraphPtr& subgraph, ValueList inputs) override
    {
        if (m_depth >= kMostNesting)
            return runtimeError("sub-graphs nested {0} deep, less expected", m_depth);
        ++m_depth;
        Result<ValueList> out = runGraph(*subgraph, inputs);
        --m_depth;
        if (!out.ok())
            return out.error().in(say("graph {0}", subgraph->graph().path()));
        return out;
    }

    void reset() { m_state.clear(); }
    [[nodiscard]] base::Pool* pool() const { return m_pool.get(); }

    [[nodiscard]] std::map<std::string, ir::Tensor> mutatedAttributes() const
    {
        const auto found = m_state.find(m_module.get());
        return found == m_state.end() ? std::map<std::string, ir::Tensor>() : found->second;
    }

private:
    Result<ValueList> runGraph(const ir::GraphModule& module, const ValueList& inputs)
    {
        const Plan& plan = planOf(module);
        Environment values;
        values.reserve(plan.nodes.size());
        std::size_t nextInput = 0;
        for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
            const Node& node = *plan.nodes[i];
            GB_TRY(beforeNode(node, i, plan.nodes.size()));
            Result<Value> value = node.op() == Op::Placeholder ? input(plan, node, inputs, nextInput++)
                                                               : compute(module, plan, node, values);
            if (!value.ok())
                return value.error().in(say("node {0}", node.name()));
            if (m_listener)
                m_listener->nodeFinished(node, *value);
            if (node.op() == Op::Output)
                return outputOf(module, *value, inputs.size(), nextInput);
            values[node.id()] = std::move(value).value();
            drop(plan, node, values);
        }
        return Error{ErrorCode::Format, "the graph has no output node", {}};
    }

    base::Status beforeNode(const Node& node, std::size_t index, std::size_t count)
    {
        if (m_work->cancelled())
            return Error{ErrorCode::Cancelled, "stopped by the user", say("node {0}", node.name())};
        if (m_depth == 0)
            m_work->report(static_cast<int>(index * 1000 / count), node.name());
        else if (++m_subgraphNodes > kMostSubgraphNodes)
            return Error{ErrorCode::RuntimeError,
                         say("more than {0} nodes of sub-graphs were run, a loop that ends expected",
                             base::grouped(kMostSubgraphNodes)),
                         say("node {0}", node.name())};
        if (m_listener)
            m_listener->nodeStarted(node);
        return {};
    }

    static Result<ValueList> outputOf(const ir::GraphModule& module, const Value& value, std::size_t given,
                                      std::size_t taken)
    {
        if (given > taken)
            return Error{ErrorCode::TypeError, say("{0} inputs, {1} expected", given, taken),
                         say("graph {0}", module.graph().path())};
        ValueList out;
        flatten(value, out);
        return out;
    }

    static void drop(const Plan& plan, const Node& node, Environment& values)
    {
        const auto found = plan.lastUsedAt.find(node.id());
        if (found == plan.lastUsedAt.end())
            return;
        for (const NodeId id : found->second)
            values.erase(id);
    }

    /// A placeholder's value: what was given, or the default that stands in its arguments.
    static Result<Value> input(const Plan& plan, const Node& node, const ValueList& inputs, std::size_t index)
    {
        if (index >= inputs.size())
            return Error{ErrorCode::TypeError, say("no value for input {0}, {1} given", index + 1, inputs.size()), {}};
        const ir::Tensor* tensor = inputs[index].tensor();
        if (tensor && plan.mutations.copies.contains(node.id()))
            return Value(tensor->clone());
        return inputs[index];
    }

    Result<Value> compute(const ir::GraphModule& module, const Plan& plan, const Node& node, const Environment& values)
    {
        const Resolver resolver(values, module.graph());
        switch (node.op()) {
        case Op::GetAttr: return attribute(module, plan, node);
        case Op::CallModule: return observe(module, node, resolver);
        case Op::Output: return node.args().empty() ? Value(ValueList()) : resolver.resolve(node.args()[0]);
        case Op::CallFunction: return call(node, resolver);
        case Op::CallMethod:
        case Op::Placeholder: break;
        }
        return Error{ErrorCode::NoKernel, say("no kernel for method {0}", node.target()), {}};
    }

    Result<Value> attribute(const ir::GraphModule& module, const Plan& plan, const Node& node)
    {
        if (const auto subgraph = module.subgraph(node.target()))
            return Value(SubgraphPtr(subgraph));
        const ir::Attribute* attribute = module.attribute(node.target());
        if (!attribute)
            return Error{ErrorCode::AttributeError, say("no attribute '{0}' in the module", node.target()), {}};
        if (!plan.mutations.attributes.contains(node.target())) {
            m_constants.add(attribute->value);
            return Value(attribute->value);
        }
        auto& own = m_state[&module];
        auto found = own.find(node.target());
        if (found == own.end())
            found = own.emplace(node.target(), attribute->value.clone()).first;
        return Value(found->second);
    }

    Result<Value> observe(const ir::GraphModule& module, const Node& node, const Resolver& resolver)
    {
        const auto observer = std::dynamic_pointer_cast<quant::Observer>(module.module(node.target()));
        if (!observer)
            return Error{ErrorCode::AttributeError, say("no observer '{0}' in the module", node.target()), {}};
        if (node.args().empty())
            return Error{ErrorCode::TypeError, say("{0} without an input, a tensor expected", node.target()), {}};
        GB_ASSIGN(const Value value, resolver.resolve(node.args()[0]));
        const ir::Tensor* tensor = value.tensor();
        if (!tensor)
            return Error{
                ErrorCode::AttributeError, say("{0} sees {1}, a tensor expected", node.target(), describe(value)), {}};
        Result<ir::Tensor> out = look(*observer, *tensor);
        if (!out.ok())
            return out.error().in(node.target());
        if (m_listener)
            m_listener->observerSaw(node, *observer);
        return Value(std::move(out).value());
    }

    /// The observer takes in the tensor; a constant that it took in last, in an earlier batch, is not gone through
    /// anew.
    Result<ir::Tensor> look(quant::Observer& observer, const ir::Tensor& x)
    {
        const std::byte* constant = m_constants.contains(x) ? x.rawData() : nullptr;
        const auto last = m_lastConstant.find(&observer);
        if (constant && last != m_lastConstant.end() && last->second == constant && observer.forwardAgain())
            return x;
        m_lastConstant.erase(&observer);
        GB_ASSIGN(ir::Tensor out, observer.forward(x, m_pool.get()));
        if (constant)
            m_lastConstant.emplace(&observer, constant);
        return out;
    }

    Result<Value> call(const Node& node, const Resolver& resolver)
    {
        GB_ASSIGN(Value args, resolver.resolveAll(node.args()));
        NamedValues kwargs;
        for (const auto& [name, argument] : node.kwargs()) {
            GB_ASSIGN(Value value, resolver.resolve(argument));
            kwargs.emplace_back(name, std::move(value));
        }
        return m_table->evaluate(m_context, node.target(), std::get<ValueList>(std::move(args.held)),
                                 std::move(kwargs));
    }

    const Plan& planOf(const ir::GraphModule& module)
    {
        auto found = m_plans.find(&module);
        if (found == m_plans.end())
            found = m_plans.emplace(&module, makePlan(module, *m_table)).first;
        return found->second;
    }

    std::shared_ptr<const ir::GraphModule> m_module;
    std::shared_ptr<const KernelTable> m_table;
    std::shared_ptr<base::Pool> m_pool;
    Context m_context;
    Constants m_constants;
    const base::Work* m_work = nullptr;
    RunListener* m_listener = nullptr;
    int m_depth = 0;
    std::int64_t m_subgraphNodes = 0;
    // never iterated: the order of addresses is not seen
    std::unordered_map<const ir::GraphModule*, Plan> m_plans;
    std::unordered_map<const ir::GraphModule*, std::map<std::string, ir::Tensor>> m_state;
    /// The first element of the constant that an observer took in last; others are not in it.
    std::unordered_map<const quant::Observer*, const std::byte*> m_lastConstant;
};

Interpreter::Interpreter(std::shared_ptr<const ir::GraphModule> module, std::shared_ptr<const KernelTable> table,
                         unsigned threads)
    : Interpreter(std::move(module), std::move(table), std::make_shared<base::Pool>(threads))
{
}

Interpreter::Interpreter(std::shared_ptr<const ir::GraphModule> module, std::shared_ptr<const KernelTable> table,
                         std::shared_ptr<base::Pool> pool)
    : m_impl(std::make_unique<Impl>(std::move(module), std::move(table), std::move(pool)))
{
}

Interpreter::~Interpreter() = default;

Result<ValueList> Interpreter::run(const ValueList& inputs, const base::Work& work, RunListener* listener)
{
    return m_impl->run(inputs, work, listener);
}

void Interpreter::reset()
{
    m_impl->reset();
}

base::Pool* Interpreter::pool() const
{
    return m_impl->pool();
}

std::map<std::string, ir::Tensor> Interpreter::mutatedAttributes() const
{
    return m_impl->mutatedAttributes();
}

} // namespace gb::ops
