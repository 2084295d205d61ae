// max, min, amax, argmax, sort, topk: what compares elements of a row. NaN is the largest, as in torch.
//
// Source: aten/src/ATen/native/TensorCompare.cpp, Sorting.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/rows.h"

#include <algorithm>
#include <numeric>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

template <class T>
bool isNan(T x)
{
    return x != x;
}

/// True when b should take a's place as the largest (or smallest): the first of equals stays, the first NaN wins.
template <bool Largest, class T>
bool beats(T a, T b)
{
    if (isNan(a))
        return false;
    if (isNan(b))
        return true;
    return Largest ? b > a : b < a;
}

template <bool Largest, class T>
std::int64_t extremeAt(const T* values, std::int64_t count)
{
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < count; ++i)
        if (beats<Largest>(values[best], values[i]))
            best = i;
    return best;
}

struct Extremes {
    Tensor values;
    Tensor indices;
};

template <bool Largest>
Result<Extremes> extremesAlong(const Context& context, const Tensor& x, const Shape& dims, bool keepDim)
{
    GB_TRY(expectReal(x));
    const Rows rows = rowsAlong(x.to(computeDType(x.dtype())), dims);
    if (rows.width == 0)
        return Result<Extremes>(
            Error{ErrorCode::IndexError,
                  base::say("largest or smallest of {0}, a dimension with elements expected", ir::describe(x)),
                  {}});
    GB_ASSIGN(Tensor values, makeTensor(rows.values.dtype(), rows.shape(keepDim)));
    GB_ASSIGN(Tensor indices, makeTensor(DType::Int64, rows.shape(keepDim)));
    auto* where = indices.mutableData<std::int64_t>();
    dispatchCompute(values.dtype(), [&]<class T>() {
        const T* from = rows.values.data<T>();
        T* to = values.mutableData<T>();
        const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / rows.width);
        context.forEachChunk(rows.count, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                where[row] = extremeAt<Largest>(from + row * rows.width, rows.width);
                to[row] = from[row * rows.width + where[row]];
            }
        });
    });
    return Extremes{values.to(x.dtype()), indices};
}

template <bool Largest>
Result<Value> extremeAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (x.elementCount() == 0)
        return runtimeError("largest or smallest of {0}, elements expected", ir::describe(x));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    GB_ASSIGN(const Extremes out, extremesAlong<Largest>(call.context(), x, dims, false));
    return Value(out.values);
}

template <bool Largest>
Result<Value> extremeDim(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    GB_ASSIGN(const Extremes out, extremesAlong<Largest>(call.context(), x, dims, keepDim));
    return Value(ValueList{out.values, out.indices});
}

/// amax and amin: several dimensions, no indices.
template <bool Largest>
Result<Value> extremeDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    GB_ASSIGN(const Extremes out, extremesAlong<Largest>(call.context(), x, dims, keepDim));
    return Value(out.values);
}

template <bool Largest>
Result<Value> extremeIndex(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    GB_ASSIGN(const Extremes out, extremesAlong<Largest>(call.context(), x, dims, keepDim));
    return Value(out.indices);
}

Result<Value> aminmax(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, dimsArgument(call, 1, x));
    GB_ASSIGN(const bool keepDim, call.boolean(2, false));
    GB_ASSIGN(const Extremes low, extremesAlong<false>(call.context(), x, dims, keepDim));
    GB_ASSIGN(const Extremes high, extremesAlong<true>(call.context(), x, dims, keepDim));
    return Value(ValueList{low.values, high.values});
}

/// The first `keep` elements of every row in order; equal elements stay in order.
Result<Value> sorted(const Call& call, const Tensor& x, std::int64_t dim, std::int64_t keep, bool descending)
{
    GB_TRY(expectReal(x));
    const Rows rows = rowsAlong(x.to(computeDType(x.dtype())), x.dim() == 0 ? Shape{} : Shape{dim});
    if (keep < 0 || keep > rows.width)
        return runtimeError("k {0}, 0 to {1} expected", keep, rows.width);
    Shape shape = rows.kept;
    if (x.dim() > 0)
        shape.push_back(keep);
    GB_ASSIGN(Tensor values, makeTensor(rows.values.dtype(), shape));
    GB_ASSIGN(Tensor indices, makeTensor(DType::Int64, shape));
    auto* where = indices.mutableData<std::int64_t>();
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows.width));
    dispatchCompute(values.dtype(), [&]<class T>() {
        T* to = values.mutableData<T>();
        for (std::int64_t row = 0; row < rows.count && !call.context().work.cancelled(); ++row) {
            const T* from = rows.values.data<T>() + row * rows.width;
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                return descending ? beats<true>(from[b], from[a]) : beats<true>(from[a], from[b]);
            });
            for (std::int64_t i = 0; i < keep; ++i) {
                where[row * keep + i] = order[static_cast<std::size_t>(i)];
                to[row * keep + i] = from[order[static_cast<std::size_t>(i)]];
            }
        }
    });
    return Value(ValueList{rowsBack(values, dim).to(x.dtype()), rowsBack(indices, dim)});
}

Result<Value> sort(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1, -1));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_ASSIGN(const bool descending, call.boolean(2, false));
    return sorted(call, x, dim, x.dim() == 0 ? 1 : x.size(dim), descending);
}

/// The indices alone; a stable sort has its flag before the dimension.
template <std::size_t DimAt>
Result<Value> argsort(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(DimAt, -1));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_ASSIGN(const bool descending, call.boolean(DimAt + 1, false));
    GB_ASSIGN(const Value both, sorted(call, x, dim, x.dim() == 0 ? 1 : x.size(dim), descending));
    return (*both.list())[1];
}

Result<Value> stableSort(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(2, -1));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_ASSIGN(const bool descending, call.boolean(3, false));
    return sorted(call, x, dim, x.dim() == 0 ? 1 : x.size(dim), descending);
}

Result<Value> topk(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t k, call.integer(1));
    GB_ASSIGN(const std::int64_t given, call.integer(2, -1));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    GB_ASSIGN(const bool largest, call.boolean(3, true));
    return sorted(call, x, dim, k, largest);
}

const KernelRow kRows[] = {
    {"aten.max.default", extremeAll<true>, "self"},
    {"aten.min.default", extremeAll<false>, "self"},
    {"aten.max.dim", extremeDim<true>, "self dim keepdim"},
    {"aten.min.dim", extremeDim<false>, "self dim keepdim"},
    {"aten.amax.default", extremeDims<true>, "self dim keepdim"},
    {"aten.amin.default", extremeDims<false>, "self dim keepdim"},
    {"aten.argmax.default", extremeIndex<true>, "self dim keepdim"},
    {"aten.argmin.default", extremeIndex<false>, "self dim keepdim"},
    {"aten.aminmax.default", aminmax, "self dim keepdim"},
    {"aten.sort.default", sort, "self dim descending"},
    {"aten.sort.stable", stableSort, "self stable dim descending"},
    {"aten.argsort.default", argsort<1>, "self dim descending"},
    {"aten.argsort.stable", argsort<2>, "self stable dim descending"},
    {"aten.topk.default", topk, "self k dim largest sorted"},
};

} // namespace

std::span<const KernelRow> extremeKernels()
{
    return kRows;
}

} // namespace gb::ops
