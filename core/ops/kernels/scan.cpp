// cumsum, cumprod, cummax, cummin, diff: what runs along a dimension.
//
// Source: aten/src/ATen/native/ReduceOps.cpp (cumsum, cumprod, cummax_helper, diff_helper).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/join.h"
#include "ops/kernels/rows.h"
#include "ops/kernels/views.h"

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

enum class Running : std::uint8_t { Sum, Product };

/// Floating point runs in double, integers wrap around.
template <Running What, class T>
void runAlong(const Rows& rows, Tensor& out)
{
    using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    const T* from = rows.values.data<T>();
    T* to = out.mutableData<T>();
    for (std::int64_t row = 0; row < rows.count; ++row) {
        Wide total = What == Running::Sum ? 0 : 1;
        for (std::int64_t i = row * rows.width; i < (row + 1) * rows.width; ++i) {
            const auto value = static_cast<Wide>(from[i]);
            total = What == Running::Sum ? total + value : total * value;
            to[i] = static_cast<T>(total);
        }
    }
}

Rows rowsOfDim(const Tensor& x, std::int64_t dim)
{
    return rowsAlong(x, x.dim() == 0 ? Shape{} : Shape{dim});
}

template <Running What>
Result<Value> running(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const std::optional<DType> asked, call.dtype(2));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_TRY(expectReal(x));
    const DType dtype = asked.value_or(ir::isFloatingPoint(x.dtype()) ? x.dtype() : DType::Int64);
    const Rows rows = rowsOfDim(x.to(computeDType(dtype)), dim);
    GB_ASSIGN(Tensor out, makeTensor(rows.values.dtype(), rows.values.shape()));
    dispatchCompute(out.dtype(), [&]<class T>() { runAlong<What, T>(rows, out); });
    return Value(rowsBack(out, dim).to(dtype));
}

/// The largest (smallest) so far and where it stands: the last of equals, NaN once there is one.
template <bool Largest>
Result<Value> runningExtreme(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_TRY(expectReal(x));
    const Rows rows = rowsOfDim(x.to(computeDType(x.dtype())), dim);
    GB_ASSIGN(Tensor values, makeTensor(rows.values.dtype(), rows.values.shape()));
    GB_ASSIGN(Tensor indices, makeTensor(DType::Int64, rows.values.shape()));
    dispatchCompute(values.dtype(), [&]<class T>() {
        const T* from = rows.values.data<T>();
        T* to = values.mutableData<T>();
        auto* where = indices.mutableData<std::int64_t>();
        for (std::int64_t row = 0; row < rows.count; ++row) {
            std::int64_t best = row * rows.width;
            for (std::int64_t i = best; i < (row + 1) * rows.width; ++i) {
                const bool replaces = Largest ? from[i] >= from[best] : from[i] <= from[best];
                if (from[i] != from[i] || (from[best] == from[best] && replaces))
                    best = i;
                to[i] = from[best];
                where[i] = best - row * rows.width;
            }
        }
    });
    return Value(ValueList{rowsBack(values, dim).to(x.dtype()), rowsBack(indices, dim)});
}

/// Each element minus the one before it; of bools, whether they differ.
Result<Tensor> stepsAlong(const Context& context, const Tensor& x, std::int64_t dim)
{
    const std::int64_t size = x.size(dim);
    GB_ASSIGN(const Tensor after, narrowTensor(x, dim, 1, size - 1));
    GB_ASSIGN(const Tensor before, narrowTensor(x, dim, 0, size - 1));
    return zip(context, after, before, x.dtype(), []<class T>(T a, T b) {
        if constexpr (std::is_same_v<T, bool>)
            return a != b;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
        else
            return a - b;
    });
}

Result<Value> diff(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const std::int64_t times, call.integer(1, 1));
    GB_ASSIGN(const std::optional<Tensor> before, call.maybeTensor(3));
    GB_ASSIGN(const std::optional<Tensor> after, call.maybeTensor(4));
    if (self.dim() == 0 || times < 0)
        return runtimeError("diff of {0}, {1} times, dimensions and 0 or more times expected", ir::describe(self),
                            times);
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, self.dim(), -1));
    std::vector<Tensor> parts;
    for (const auto& part : {before, std::optional(self), after}) {
        if (part && part->dim() != self.dim())
            return runtimeError("diff of {0} with {1}, as many dimensions expected", ir::describe(self),
                                ir::describe(*part));
        if (part)
            parts.push_back(*part);
    }
    GB_ASSIGN(const Tensor whole, joinTensors(call.context(), parts, dim));
    if (times >= whole.size(dim)) {
        GB_ASSIGN(Tensor nothing, narrowTensor(whole, dim, 0, 0));
        return Value(std::move(nothing));
    }
    Tensor out = whole.to(computeDType(whole.dtype()));
    for (std::int64_t i = 0; i < times; ++i) {
        GB_ASSIGN(out, stepsAlong(call.context(), out, dim));
    }
    return Value(out.to(whole.dtype()));
}

const KernelRow kRows[] = {
    {"aten.cumsum.default", running<Running::Sum>, "self dim dtype"},
    {"aten.cumprod.default", running<Running::Product>, "self dim dtype"},
    {"aten.cummax.default", runningExtreme<true>, "self dim"},
    {"aten.cummin.default", runningExtreme<false>, "self dim"},
    {"aten.diff.default", diff, "self n dim prepend append"},
};

} // namespace

std::span<const KernelRow> scanKernels()
{
    return kRows;
}

} // namespace gb::ops
