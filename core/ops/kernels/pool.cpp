// max_pool, avg_pool and their adaptive forms, over one to three dimensions.
//
// Source: aten/src/ATen/native/cpu/MaxPoolKernel.cpp, AvgPoolKernel.cpp, AdaptiveAvgPoolKernel.cpp.
#include "ops/kernels/cascade_sum.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/pool_geometry.h"
#include "ops/kernels/valid_outputs.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

/// The part of the input under one output element along one axis.
struct Span {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t step;
};

Span windowSpan(const PoolWindow& w, std::size_t axis, std::int64_t at)
{
    std::int64_t begin = at * w.stride[axis] - w.padding[axis];
    const std::int64_t end = std::min(begin + (w.kernel[axis] - 1) * w.dilation[axis] + 1, w.input[axis]);
    if (begin < 0)
        begin += (-begin + w.dilation[axis] - 1) / w.dilation[axis] * w.dilation[axis];
    return {begin, end, w.dilation[axis]};
}

Span adaptiveSpan(const PoolWindow& w, std::size_t axis, std::int64_t at)
{
    const std::int64_t in = w.input[axis];
    const std::int64_t out = w.output[axis];
    return {at / out * in + at % out * in / out, 1 + ((at + 1) * in - 1) / out, 1};
}

using SpanOf = Span (*)(const PoolWindow&, std::size_t, std::int64_t);

/// Calls visit(plane, output index, z, y, x spans) for every output element; planes are shared among the threads.
template <class F>
void forEachWindow(const Context& context, const PoolWindow& w, SpanOf spanOf, const F& visit)
{
    const std::int64_t grain = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, w.outputSize()));
    context.forEachChunk(w.planes, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            std::int64_t at = plane * w.outputSize();
            for (std::int64_t z = 0; z < w.output[0]; ++z)
                for (std::int64_t y = 0; y < w.output[1]; ++y) {
                    const Span sz = spanOf(w, 0, z);
                    const Span sy = spanOf(w, 1, y);
                    for (std::int64_t x = 0; x < w.output[2]; ++x, ++at)
                        visit(plane, at, sz, sy, spanOf(w, 2, x));
                }
        }
    });
}

/// One row of outputs (z, y): calls step(output element of the row, input element) for each input element under the
/// kernel, kernel element by kernel element, so that the innermost loop runs along the row.
template <class F>
void forEachInRow(const PoolWindow& w, std::int64_t z, std::int64_t y, const F& step)
{
    for (std::int64_t kz = 0; kz < w.kernel[0]; ++kz)
        for (std::int64_t ky = 0; ky < w.kernel[1]; ++ky) {
            const std::int64_t inZ = z * w.stride[0] - w.padding[0] + kz * w.dilation[0];
            const std::int64_t inY = y * w.stride[1] - w.padding[1] + ky * w.dilation[1];
            if (inZ < 0 || inZ >= w.input[0] || inY < 0 || inY >= w.input[1])
                continue;
            const std::int64_t row = (inZ * w.input[1] + inY) * w.input[2];
            for (std::int64_t kx = 0; kx < w.kernel[2]; ++kx) {
                const std::int64_t start = kx * w.dilation[2] - w.padding[2];
                const auto [first, last] = validOutputs(start, w.stride[2], w.input[2], w.output[2]);
                for (std::int64_t x = first; x < last; ++x)
                    step(x, row + start + x * w.stride[2]);
            }
        }
}

/// What a maximum begins with.
template <class T>
constexpr T lowestOf()
{
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
}

/// The maxima alone, in the same order of comparisons as maxPlanes.
template <class T>
void maxRows(const Context& context, const PoolWindow& w, const Tensor& x, Tensor& out)
{
    const T* in = x.data<T>();
    T* to = out.mutableData<T>();
    const std::int64_t rows = w.output[0] * w.output[1];
    context.forEachChunk(w.planes * rows, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const T* from = in + row / rows * w.inputSize();
            T* best = to + row * w.output[2];
            std::fill_n(best, w.output[2], lowestOf<T>());
            forEachInRow(w, row % rows / w.output[1], row % w.output[1], [&](std::int64_t o, std::int64_t i) {
                const T value = from[i];
                best[o] = value > best[o] || value != value ? value : best[o];
            });
        }
    });
}

struct MaxPool {
    Tensor values;
    Tensor indices;
};

template <class T>
void maxPlanes(const Context& context, const PoolWindow& w, SpanOf spanOf, const Tensor& x, MaxPool& out)
{
    const T* in = x.data<T>();
    T* values = out.values.mutableData<T>();
    auto* indices = out.indices.mutableData<std::int64_t>();
    forEachWindow(context, w, spanOf, [&](std::int64_t plane, std::int64_t at, Span sz, Span sy, Span sx) {
        const T* from = in + plane * w.inputSize();
        T best = lowestOf<T>();
        std::int64_t where = (sz.begin * w.input[1] + sy.begin) * w.input[2] + sx.begin;
        for (std::int64_t z = sz.begin; z < sz.end; z += sz.step)
            for (std::int64_t y = sy.begin; y < sy.end; y += sy.step)
                for (std::int64_t i = sx.begin; i < sx.end; i += sx.step) {
                    const std::int64_t index = (z * w.input[1] + y) * w.input[2] + i;
                    if (from[index] > best || from[index] != from[index]) {
                        best = from[index];
                        where = index;
                    }
                }
        values[at] = best;
        indices[at] = where;
    });
}

Result<MaxPool> maxPool(const Context& context, const PoolWindow& w, SpanOf spanOf, const Tensor& given)
{
    GB_TRY(expectReal(given));
    const Tensor x = given.to(computeDType(given.dtype())).contiguous();
    GB_ASSIGN(Tensor values, makeTensor(x.dtype(), w.outShape));
    GB_ASSIGN(Tensor indices, makeTensor(DType::Int64, w.outShape));
    MaxPool out{std::move(values), std::move(indices)};
    dispatchCompute(x.dtype(), [&]<class T>() { maxPlanes<T>(context, w, spanOf, x, out); });
    out.values = out.values.to(given.dtype());
    return out;
}

template <std::size_t Spatial>
Result<Value> maxPoolValues(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const PoolWindow window, readPoolWindow(call, given, Spatial, 4, 5));
    GB_TRY(expectReal(given));
    const Tensor x = given.to(computeDType(given.dtype())).contiguous();
    GB_ASSIGN(Tensor out, makeTensor(x.dtype(), window.outShape));
    dispatchCompute(x.dtype(), [&]<class T>() { maxRows<T>(call.context(), window, x, out); });
    return Value(out.to(given.dtype()));
}

template <std::size_t Spatial>
Result<Value> maxPoolWithIndices(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const PoolWindow window, readPoolWindow(call, x, Spatial, 4, 5));
    GB_ASSIGN(const MaxPool out, maxPool(call.context(), window, windowSpan, x));
    return Value(ValueList{out.values, out.indices});
}

template <std::size_t Spatial>
Result<Value> adaptiveMaxPool(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const PoolWindow window, readAdaptiveWindow(call, x, Spatial));
    GB_ASSIGN(const MaxPool out, maxPool(call.context(), window, adaptiveSpan, x));
    return Value(ValueList{out.values, out.indices});
}

/// The elements that an average is divided by: with or without those in the padding, or a number of one's own.
struct Divisor {
    bool countPadding = true;
    std::int64_t fixed = 0;
};

std::int64_t paddedCount(const PoolWindow& w, std::size_t axis, std::int64_t at)
{
    const std::int64_t begin = at * w.stride[axis] - w.padding[axis];
    return std::min(begin + w.kernel[axis], w.input[axis] + w.padding[axis]) - begin;
}

template <class T>
T sumOf(const PoolWindow& w, const T* from, Span sz, Span sy, Span sx)
{
    T sum = T(0);
    for (std::int64_t z = sz.begin; z < sz.end; ++z)
        for (std::int64_t y = sy.begin; y < sy.end; ++y)
            for (std::int64_t i = sx.begin; i < sx.end; ++i)
                sum += from[(z * w.input[1] + y) * w.input[2] + i];
    return sum;
}

Span clippedSpan(const PoolWindow& w, std::size_t axis, std::int64_t at)
{
    const std::int64_t begin = at * w.stride[axis] - w.padding[axis];
    return {std::max<std::int64_t>(begin, 0), std::min(begin + w.kernel[axis], w.input[axis]), 1};
}

template <class T>
void averagePlanes(const Context& context, const PoolWindow& w, const Divisor& divisor, const Tensor& x, Tensor& out)
{
    const T* in = x.data<T>();
    T* to = out.mutableData<T>();
    forEachWindow(context, w, clippedSpan, [&](std::int64_t plane, std::int64_t at, Span sz, Span sy, Span sx) {
        const T sum = sumOf(w, in + plane * w.inputSize(), sz, sy, sx);
        std::int64_t count = (sz.end - sz.begin) * (sy.end - sy.begin) * (sx.end - sx.begin);
        if (divisor.fixed != 0)
            count = divisor.fixed;
        else if (divisor.countPadding) {
            const std::int64_t o = at % w.outputSize();
            count = paddedCount(w, 2, o % w.output[2]) * paddedCount(w, 1, o / w.output[2] % w.output[1])
                    * paddedCount(w, 0, o / w.output[2] / w.output[1]);
        }
        to[at] = sz.begin >= sz.end || sy.begin >= sy.end || sx.begin >= sx.end ? T(0) : sum / static_cast<T>(count);
    });
}

/// torch adds the adaptive window up in the element type and divides by one axis after the other.
template <class T>
void adaptivePlanes(const Context& context, const PoolWindow& w, const Tensor& x, Tensor& out)
{
    const T* in = x.data<T>();
    T* to = out.mutableData<T>();
    forEachWindow(context, w, adaptiveSpan, [&](std::int64_t plane, std::int64_t at, Span sz, Span sy, Span sx) {
        const T sum = sumOf(w, in + plane * w.inputSize(), sz, sy, sx);
        to[at] = sum / static_cast<T>(sz.end - sz.begin) / static_cast<T>(sy.end - sy.begin)
                 / static_cast<T>(sx.end - sx.begin);
    });
}

double planeSum(const double* values, std::int64_t count, std::int64_t /*planes*/)
{
    return std::accumulate(values, values + count, 0.0);
}

float planeSum(const float* values, std::int64_t count, std::int64_t planes)
{
    return cascadeSum(values, count, planes);
}

/// One value for a plane is its mean (torch calls mean there).
template <class T>
void meanPlanes(const Context& context, const PoolWindow& w, const Tensor& x, Tensor& out)
{
    const T* in = x.data<T>();
    T* to = out.mutableData<T>();
    context.forEachChunk(w.planes, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const T sum = planeSum(in + plane * w.inputSize(), w.inputSize(), w.planes);
            to[plane] = sum / static_cast<T>(w.inputSize());
        }
    });
}

template <class F>
Result<Value> overFloats(const Tensor& given, const PoolWindow& w, const F& fill)
{
    GB_TRY(expectFloat(given, "pool input"));
    const Tensor x = given.to(computeDType(given.dtype())).contiguous();
    GB_ASSIGN(Tensor out, makeTensor(x.dtype(), w.outShape));
    if (x.dtype() == DType::Float64)
        fill.template operator()<double>(x, out);
    else
        fill.template operator()<float>(x, out);
    return Value(out.to(given.dtype()));
}

template <std::size_t Spatial>
Result<Value> avgPool(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const PoolWindow window, readPoolWindow(call, x, Spatial, std::nullopt, 4));
    Divisor divisor;
    GB_ASSIGN(divisor.countPadding, call.boolean(5, true));
    GB_ASSIGN(divisor.fixed, call.integer(6, 0));
    if (call.has(6) && divisor.fixed == 0)
        return runtimeError("divisor_override 0, another number expected");
    return overFloats(x, window, [&]<class T>(const Tensor& in, Tensor& out) {
        averagePlanes<T>(call.context(), window, divisor, in, out);
    });
}

template <std::size_t Spatial>
Result<Value> adaptiveAvgPool(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const PoolWindow window, readAdaptiveWindow(call, x, Spatial));
    return overFloats(x, window, [&]<class T>(const Tensor& in, Tensor& out) {
        if (window.outputSize() == 1)
            meanPlanes<T>(call.context(), window, in, out);
        else
            adaptivePlanes<T>(call.context(), window, in, out);
    });
}

constexpr const char* kMaxNames = "self kernel_size stride padding dilation ceil_mode";
constexpr const char* kAvgNames = "self kernel_size stride padding ceil_mode count_include_pad divisor_override";

const KernelRow kRows[] = {
    {"aten.max_pool1d.default", maxPoolValues<1>, kMaxNames},
    {"aten.max_pool2d.default", maxPoolValues<2>, kMaxNames},
    {"aten.max_pool3d.default", maxPoolValues<3>, kMaxNames},
    {"aten.max_pool1d_with_indices.default", maxPoolWithIndices<1>, kMaxNames},
    {"aten.max_pool2d_with_indices.default", maxPoolWithIndices<2>, kMaxNames},
    {"aten.max_pool3d_with_indices.default", maxPoolWithIndices<3>, kMaxNames},
    {"aten.adaptive_max_pool1d.default", adaptiveMaxPool<1>, "self output_size"},
    {"aten.adaptive_max_pool2d.default", adaptiveMaxPool<2>, "self output_size"},
    {"aten.avg_pool1d.default", avgPool<1>, "self kernel_size stride padding ceil_mode count_include_pad"},
    {"aten.avg_pool2d.default", avgPool<2>, kAvgNames},
    {"aten.avg_pool3d.default", avgPool<3>, kAvgNames},
    {"aten.adaptive_avg_pool1d.default", adaptiveAvgPool<1>, "self output_size"},
    {"aten.adaptive_avg_pool2d.default", adaptiveAvgPool<2>, "self output_size"},
    {"aten._adaptive_avg_pool2d.default", adaptiveAvgPool<2>, "self output_size"},
    {"aten.adaptive_avg_pool3d.default", adaptiveAvgPool<3>, "self output_size"},
};

} // namespace

std::span<const KernelRow> poolKernels()
{
    return kRows;
}

} // namespace gb::ops
