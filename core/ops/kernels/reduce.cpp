// sum, mean, amax, argmax, var and their like.
//
// Source: aten/src/ATen/native/ReduceOps.cpp. Sums of float32 along the last dimensions run in torch's order, others in
// double, rounded once.
#include "ops/kernels/cascade_sum.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/rows.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

/// Calls reduce<In>(row, width) for every row; the result is converted to Out.
template <class In, class Out, class F>
void reduceRows(const Context& context, const Rows& rows, Tensor& out, const F& reduce)
{
    const In* from = rows.values.data<In>();
    Out* to = out.mutableData<Out>();
    const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / std::max<std::int64_t>(1, rows.width));
    context.forEachChunk(rows.count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            to[row] = static_cast<Out>(reduce(from + row * rows.width, rows.width));
    });
}

/// Four sums side by side, so that additions need not wait for each other.
template <class T>
double sumOf(const T* values, std::int64_t count)
{
    double sums[4] = {};
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int lane = 0; lane < 4; ++lane)
            sums[lane] += static_cast<double>(values[i + lane]);
    double out = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; i < count; ++i)
        out += static_cast<double>(values[i]);
    return out;
}

/// How torch adds the elements of a row.
struct RowSum {
    bool isInner; ///< the row is neighbouring elements of the tensor itself
    std::int64_t rows;

    double operator()(const double* values, std::int64_t count) const { return sumOf(values, count); }
    float operator()(const float* values, std::int64_t count) const
    {
        return isInner ? cascadeSum(values, count, rows) : static_cast<float>(sumOf(values, count));
    }
};

RowSum rowSum(const Tensor& x, const Shape& dims)
{
    bool isInner = x.isContiguous();
    for (std::size_t i = 0; i < dims.size(); ++i)
        isInner = isInner && dims[i] == x.dim() - static_cast<std::int64_t>(dims.size() - i);
    std::int64_t rows = 1;
    for (std::int64_t axis = 0; axis < x.dim() - static_cast<std::int64_t>(dims.size()); ++axis)
        rows *= x.size(axis);
    return {isInner, rows};
}

std::int64_t integerSum(const std::int64_t* values, std::int64_t count)
{
    std::uint64_t out = 0;
    for (std::int64_t i = 0; i < count; ++i)
        out += static_cast<std::uint64_t>(values[i]);
    return static_cast<std::int64_t>(out);
}

/// A reduction of floating point through double; the dtype is that of x, or `dtype` where given.
template <class F>
Result<Value> reduceFloat(const Call& call, const Tensor& x, const Shape& dims, bool keepDim, DType dtype,
                          const F& reduce)
{
    const Rows rows = rowsAlong(x.to(computeDType(dtype)), dims);
    GB_ASSIGN(Tensor out, makeTensor(computeDType(dtype), rows.shape(keepDim)));
    if (out.dtype() == DType::Float64)
        reduceRows<double, double>(call.context(), rows, out, reduce);
    else
        reduceRows<float, float>(call.context(), rows, out, reduce);
    return Value(out.to(dtype));
}

Result<Value> sumOver(const Call& call, std::size_t dtypeAt, const Shape& dims, bool keepDim)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectReal(x));
    GB_ASSIGN(const std::optional<DType> asked, call.dtype(dtypeAt));
    const DType dtype = asked.value_or(ir::isFloatingPoint(x.dtype()) ? x.dtype() : DType::Int64);
    if (ir::isFloatingPoint(dtype))
        return reduceFloat(call, x, dims, keepDim, dtype, rowSum(x, dims));
    const Rows rows = rowsAlong(x.to(DType::Int64), dims);
    GB_ASSIGN(Tensor out, makeTensor(DType::Int64, rows.shape(keepDim)));
    reduceRows<std::int64_t, std::int64_t>(call.context(), rows, out, integerSum);
    return Value(out.to(dtype));
}

Result<Value> sumAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    return sumOver(call, 1, dims, false);
}

Result<Value> sumDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    return sumOver(call, 3, dims, keepDim);
}

Result<Value> meanOver(const Call& call, std::size_t dtypeAt, const Shape& dims, bool keepDim)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::optional<DType> asked, call.dtype(dtypeAt));
    const DType dtype = asked.value_or(x.dtype());
    if (!ir::isFloatingPoint(dtype))
        return runtimeError("mean of {0}, floating point expected", ir::describe(x));
    GB_TRY(expectReal(x));
    const auto mean = [sum = rowSum(x, dims)]<class T>(const T* v, std::int64_t n) {
        return sum(v, n) / static_cast<T>(n);
    };
    return reduceFloat(call, x, dims, keepDim, dtype, mean);
}

Result<Value> meanAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    return meanOver(call, 1, dims, false);
}

Result<Value> meanDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    return meanOver(call, 3, dims, keepDim);
}

Result<Value> prodAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectReal(x));
    GB_ASSIGN(const std::optional<DType> asked, call.dtype(1));
    const DType dtype = asked.value_or(ir::isFloatingPoint(x.dtype()) ? x.dtype() : DType::Int64);
    double product = 1;
    std::uint64_t integers = 1;
    const Tensor wide = x.to(ir::isFloatingPoint(dtype) ? DType::Float64 : DType::Int64).contiguous();
    for (std::int64_t i = 0; i < wide.elementCount(); ++i)
        if (ir::isFloatingPoint(dtype))
            product *= wide.data<double>()[i];
        else
            integers *= static_cast<std::uint64_t>(wide.data<std::int64_t>()[i]);
    const Tensor out =
        ir::isFloatingPoint(dtype) ? Tensor::scalar(product) : Tensor::scalar(static_cast<std::int64_t>(integers));
    return Value(out.to(dtype));
}

/// Variance around the mean, divided by count - correction; the root of it where asked.
struct Spread {
    double correction;
    bool root;
    template <class T>
    double operator()(const T* values, std::int64_t count) const
    {
        const double mean = sumOf(values, count) / static_cast<double>(count);
        double squares = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const double distance = static_cast<double>(values[i]) - mean;
            squares += distance * distance;
        }
        const double variance = squares / std::max(0.0, static_cast<double>(count) - correction);
        return root ? std::sqrt(variance) : variance;
    }
};

Result<Value> spreadOver(const Call& call, const Shape& dims, Spread spread, bool keepDim)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectFloat(x, "variance input"));
    return reduceFloat(call, x, dims, keepDim, x.dtype(), spread);
}

template <bool Root>
Result<Value> spreadAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const bool unbiased, call.boolean(1, true));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    return spreadOver(call, dims, {unbiased ? 1.0 : 0.0, Root}, false);
}

template <bool Root>
Result<Value> spreadDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool unbiased, call.boolean(2, true));
    GB_ASSIGN(const bool keepDim, call.boolean(3, false));
    return spreadOver(call, dims, {unbiased ? 1.0 : 0.0, Root}, keepDim);
}

template <bool Root>
Result<Value> spreadCorrection(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const double correction, call.real(2, 1.0));
    GB_ASSIGN(const bool keepDim, call.boolean(3, false));
    return spreadOver(call, dims, {correction, Root}, keepDim);
}

/// Spread and mean of the same elements: var_mean and std_mean.
template <bool Root>
Result<Value> spreadAndMean(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const double correction, call.real(2, 1.0));
    GB_ASSIGN(const bool keepDim, call.boolean(3, false));
    GB_ASSIGN(const Value spread, spreadOver(call, dims, {correction, Root}, keepDim));
    GB_ASSIGN(const Value mean, meanOver(call, call.size(), dims, keepDim));
    return Value(ValueList{spread, mean});
}

/// linalg_vector_norm: the p-norm for any order.
struct VectorNorm {
    double order;
    template <class T>
    double operator()(const T* values, std::int64_t count) const
    {
        double sum = order == -std::numeric_limits<double>::infinity() ? std::numeric_limits<double>::infinity() : 0.0;
        for (std::int64_t i = 0; i < count; ++i) {
            const double size = std::fabs(static_cast<double>(values[i]));
            if (std::isinf(order))
                sum = size != size ? size : (order > 0 ? std::max(sum, size) : std::min(sum, size));
            else if (order == 0.0)
                sum += size != 0.0 ? 1.0 : 0.0;
            else
                sum += order == 2.0 ? size * size : order == 1.0 ? size : std::pow(size, order);
        }
        if (std::isinf(order) || order == 0.0 || order == 1.0)
            return sum;
        return order == 2.0 ? std::sqrt(sum) : std::pow(sum, 1.0 / order);
    }
};

Result<Value> vectorNorm(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectFloat(x, "norm input"));
    GB_ASSIGN(const double order, call.real(1, 2.0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 2, x));
    GB_ASSIGN(const bool keepDim, call.boolean(3, false));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(4));
    return reduceFloat(call, x, dims, keepDim, dtype.value_or(x.dtype()), VectorNorm{order});
}

Result<Value> logSumExp(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectReal(x));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    return reduceFloat(call, x, dims, keepDim, toFloating(x.dtype()), [](const auto* values, std::int64_t count) {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < count; ++i)
            largest = std::max(largest, static_cast<double>(values[i]));
        if (std::isinf(largest))
            return largest;
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += std::exp(static_cast<double>(values[i]) - largest);
        return largest + std::log(sum);
    });
}

/// any and all.
template <bool Any>
Result<Value> truthOver(const Call& call, const Tensor& x, const Shape& dims, bool keepDim)
{
    GB_TRY(expectReal(x));
    const Rows rows = rowsAlong(x.to(DType::Bool), dims);
    GB_ASSIGN(Tensor out, makeTensor(DType::Bool, rows.shape(keepDim)));
    reduceRows<bool, bool>(call.context(), rows, out, [](const bool* values, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            if (values[i] == Any)
                return Any;
        return !Any;
    });
    return Value(x.dtype() == DType::UInt8 ? out.to(DType::UInt8) : out);
}

template <bool Any>
Result<Value> truthAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    return truthOver<Any>(call, x, dims, false);
}

template <bool Any>
Result<Value> truthDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    return truthOver<Any>(call, x, dims, keepDim);
}

const KernelRow kRows[] = {
    {"aten.sum.default", sumAll, "self dtype"},
    {"aten.sum.dim_IntList", sumDims, "self dim keepdim dtype"},
    {"aten.mean.default", meanAll, "self dtype"},
    {"aten.mean.dim", meanDims, "self dim keepdim dtype"},
    {"aten.prod.default", prodAll, "self dtype"},
    {"aten.var.default", spreadAll<false>, "self unbiased"},
    {"aten.var.dim", spreadDims<false>, "self dim unbiased keepdim"},
    {"aten.var.correction", spreadCorrection<false>, "self dim correction keepdim"},
    {"aten.std.default", spreadAll<true>, "self unbiased"},
    {"aten.std.dim", spreadDims<true>, "self dim unbiased keepdim"},
    {"aten.std.correction", spreadCorrection<true>, "self dim correction keepdim"},
    {"aten.var_mean.correction", spreadAndMean<false>, "self dim correction keepdim"},
    {"aten.std_mean.correction", spreadAndMean<true>, "self dim correction keepdim"},
    {"aten.linalg_vector_norm.default", vectorNorm, "self ord dim keepdim dtype"},
    {"aten.norm.ScalarOpt_dim", vectorNorm, "self p dim keepdim"},
    {"aten.logsumexp.default", logSumExp, "self dim keepdim"},
    {"aten.any.default", truthAll<true>, "self"},
    {"aten.any.dim", truthDims<true>, "self dim keepdim"},
    {"aten.any.dims", truthDims<true>, "self dim keepdim"},
    {"aten.all.default", truthAll<false>, "self"},
    {"aten.all.dim", truthDims<false>, "self dim keepdim"},
    {"aten.all.dims", truthDims<false>, "self dim keepdim"},
};

} // namespace

std::span<const KernelRow> reduceKernels()
{
    return kRows;
}

} // namespace gb::ops
