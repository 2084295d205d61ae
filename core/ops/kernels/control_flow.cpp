// cond, while_loop, scan, map and the wrappers that export leaves around parts of a program.
//
// Source: torch/_higher_order_ops/cond.py, while_loop.py, scan.py, map.py, wrap.py. Sub-graphs are run by the
// interpreter that called (SubgraphRunner).
#include "ops/kernels/control_flow.h"

#include "ops/kernels/families.h"
#include "ops/kernels/views.h"
#include "ops/strided.h"

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Tensor;

Result<ValueList> run(const Call& call, std::size_t subgraphAt, ValueList inputs)
{
    GB_ASSIGN(const SubgraphPtr subgraph, call.subgraph(subgraphAt));
    if (!call.context().runner)
        return Error{ErrorCode::NoKernel, "no interpreter for sub-graphs here", {}};
    return call.context().runner->runSubgraph(subgraph, std::move(inputs));
}

void append(ValueList& to, const ValueList& more)
{
    to.insert(to.end(), more.begin(), more.end());
}

Result<Value> cond(const Call& call)
{
    GB_ASSIGN(const bool predicate, call.boolean(0, false));
    GB_ASSIGN(const ValueList operands, call.list(3));
    GB_ASSIGN(ValueList out, run(call, predicate ? 1 : 2, operands));
    return Value(std::move(out));
}

Result<bool> truth(const ValueList& values)
{
    if (values.size() == 1) {
        if (const auto* flag = values[0].as<bool>())
            return *flag;
        if (const Tensor* tensor = values[0].tensor(); tensor && tensor->elementCount() == 1)
            return tensor->at(0) != 0.0;
    }
    return runtimeError("while_loop condition gave {0} values, one bool expected", values.size());
}

Result<Value> whileLoop(const Call& call)
{
    GB_ASSIGN(ValueList carried, call.list(2));
    ValueList additional;
    if (call.has(3)) {
        GB_ASSIGN(additional, call.list(3));
    }
    while (true) {
        ValueList inputs = carried;
        append(inputs, additional);
        GB_ASSIGN(const ValueList condition, run(call, 0, inputs));
        GB_ASSIGN(const bool again, truth(condition));
        if (!again)
            return Value(std::move(carried));
        GB_ASSIGN(ValueList next, run(call, 1, std::move(inputs)));
        if (next.size() != carried.size())
            return runtimeError("while_loop body gave {0} values, {1} expected", next.size(), carried.size());
        carried = std::move(next);
    }
}

/// Row `index` of every stacked input.
Result<ValueList> slicesAt(const ValueList& stacked, std::int64_t index)
{
    ValueList out;
    for (const Value& value : stacked) {
        if (!value.tensor())
            return runtimeError("mapped input is {0}, tensor expected", describe(value));
        GB_ASSIGN(Tensor slice, selectTensor(*value.tensor(), 0, index));
        out.emplace_back(std::move(slice));
    }
    return out;
}

/// Each step's outputs collected into tensors with a new first dimension.
class Stacker {
public:
    Stacker(const Context& context, std::int64_t count)
        : m_context(context)
        , m_count(count)
    {
    }

    base::Status add(std::int64_t step, const ValueList& values, std::size_t from)
    {
        for (std::size_t i = from; i < values.size(); ++i) {
            const Tensor* tensor = values[i].tensor();
            if (!tensor)
                return runtimeError("step output is {0}, tensor expected", describe(values[i]));
            if (step == 0) {
                ir::Shape shape = tensor->shape();
                shape.insert(shape.begin(), m_count);
                GB_ASSIGN(Tensor stacked, makeTensor(tensor->dtype(), shape));
                m_stacked.push_back(std::move(stacked));
            }
            if (i - from >= m_stacked.size())
                return runtimeError("step {0} gave {1} outputs, {2} expected", step, values.size() - from,
                                    m_stacked.size());
            GB_ASSIGN(const Tensor place, selectTensor(m_stacked[i - from], 0, step));
            if (place.shape() != tensor->shape())
                return runtimeError("step output {0}, {1} expected", ir::describe(*tensor), ir::describe(place));
            GB_TRY(copyInto(m_context, place, *tensor));
        }
        return {};
    }
    void appendTo(ValueList& out) const
    {
        for (const Tensor& tensor : m_stacked)
            out.emplace_back(tensor);
    }

private:
    const Context& m_context;
    std::int64_t m_count;
    std::vector<Tensor> m_stacked;
};

Result<std::int64_t> stepsOf(const ValueList& stacked, const char* what)
{
    if (stacked.empty() || !stacked[0].tensor() || stacked[0].tensor()->dim() == 0)
        return runtimeError("{0} without a stacked tensor, one or more expected", what);
    const std::int64_t steps = stacked[0].tensor()->size(0);
    for (const Value& value : stacked)
        if (!value.tensor() || value.tensor()->dim() == 0 || value.tensor()->size(0) != steps)
            return runtimeError("{0} over {1}, tensors with {2} rows expected", what, describe(value), steps);
    if (steps == 0)
        return runtimeError("{0} over no rows, one or more expected", what);
    return steps;
}

Result<Value> scan(const Call& call)
{
    GB_ASSIGN(ValueList carry, call.list(1));
    GB_ASSIGN(const ValueList stacked, call.list(2));
    ValueList additional;
    if (call.has(3)) {
        GB_ASSIGN(additional, call.list(3));
    }
    if (stacked.empty())
        return Value(std::move(carry));
    GB_ASSIGN(const std::int64_t steps, stepsOf(stacked, "scan"));
    Stacker stacker(call.context(), steps);
    for (std::int64_t step = 0; step < steps; ++step) {
        ValueList inputs = carry;
        GB_ASSIGN(const ValueList slices, slicesAt(stacked, step));
        append(inputs, slices);
        append(inputs, additional);
        GB_ASSIGN(const ValueList out, run(call, 0, std::move(inputs)));
        if (out.size() < carry.size())
            return runtimeError("scan step gave {0} values, {1} or more expected", out.size(), carry.size());
        GB_TRY(stacker.add(step, out, carry.size()));
        carry.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(carry.size()));
    }
    stacker.appendTo(carry);
    return Value(std::move(carry));
}

Result<Value> map(const Call& call)
{
    GB_ASSIGN(const ValueList stacked, call.list(1));
    GB_ASSIGN(const ValueList additional, call.list(2));
    GB_ASSIGN(const std::int64_t steps, stepsOf(stacked, "map"));
    Stacker stacker(call.context(), steps);
    for (std::int64_t step = 0; step < steps; ++step) {
        GB_ASSIGN(ValueList inputs, slicesAt(stacked, step));
        append(inputs, additional);
        GB_ASSIGN(const ValueList out, run(call, 0, std::move(inputs)));
        GB_TRY(stacker.add(step, out, 0));
    }
    ValueList out;
    stacker.appendTo(out);
    return Value(std::move(out));
}

/// The arguments after `first` that a wrapper hands on.
ValueList rest(const Call& call, std::size_t first)
{
    const ValueList* items = call.value(first).list();
    return items ? *items : ValueList();
}

Result<Value> withGrad(const Call& call)
{
    GB_ASSIGN(ValueList out, run(call, 1, rest(call, 2)));
    return Value(std::move(out));
}

/// autocast would compute in another dtype: only a disabled one is run.
Result<Value> withAutocast(const Call& call)
{
    GB_ASSIGN(const bool enabled, call.boolean(2, true));
    if (enabled)
        return Error{ErrorCode::NoKernel, "autocast is enabled, which is not computed; disabled expected", {}};
    GB_ASSIGN(ValueList out, run(call, 4, rest(call, 5)));
    return Value(std::move(out));
}

constexpr Alias kView = Alias::Maybe;

const KernelRow kRows[] = {
    {"cond", cond, "pred true_fn false_fn operands", kView},
    {"while_loop", whileLoop, "cond_fn body_fn carried_inputs additional_inputs", kView},
    {"scan", scan, "combine_fn init xs additional_inputs", kView},
    {"map_impl", map, "f xs pos_args", kView},
    {"wrap_with_set_grad_enabled", withGrad, "enable_grad wrapped_func *args", kView},
    {"wrap_with_autocast", withAutocast, "device_type dtype enabled cache_enabled wrapped_func *args", kView},
};

} // namespace

std::span<const KernelRow> controlFlowKernels()
{
    return kRows;
}

bool runsSubgraphs(std::string_view target)
{
    for (const KernelRow& row : kRows)
        if (row.target == target)
            return true;
    return false;
}

} // namespace gb::ops
