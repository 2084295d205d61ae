// upsample: nearest, linear and cubic.
//
// Source: aten/src/ATen/native/UpSample.h (area_pixel_compute_source_index, nearest_neighbor_compute_source_index),
// UpSample.cpp (compute_output_size).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/upsample_axes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

enum class Nearest : std::uint8_t { Floor, Exact };

std::int64_t nearestAt(const Axis& axis, std::int64_t at, Nearest rule)
{
    if (axis.in == axis.out)
        return at;
    const auto step = static_cast<float>(stepOf(axis, false));
    const float place = static_cast<float>(at) + (rule == Nearest::Exact ? 0.5F : 0.0F);
    return std::min(static_cast<std::int64_t>(std::floor(place * step)), axis.in - 1);
}

/// The two neighbours of an output element and the weight of the second.
template <class T>
struct Neighbours {
    std::int64_t first;
    std::int64_t second;
    T weight;
};

template <class T>
Neighbours<T> neighboursOf(const Axis& axis, std::int64_t at, bool alignCorners)
{
    const T step = static_cast<T>(stepOf(axis, alignCorners));
    if (axis.in == axis.out)
        return {at, at, T(0)};
    T position = alignCorners ? step * static_cast<T>(at) : step * (static_cast<T>(at) + T(0.5)) - T(0.5);
    position = std::max(position, T(0));
    const auto first = std::min(static_cast<std::int64_t>(position), axis.in - 1);
    const T weight = std::clamp(position - static_cast<T>(first), T(0), T(1));
    return {first, first + (first < axis.in - 1 ? 1 : 0), weight};
}

/// Calls row(input plane, output row's start, depth, y) for every row of the output.
template <class F>
void forEachOutputRow(const Context& context, const Plan& plan, const F& row)
{
    const std::int64_t rows = plan.depth.out * plan.height.out;
    context.forEachChunk(plan.planes, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin * rows; at < end * rows; ++at)
            row(at / rows, at * plan.width.out, at % rows / plan.height.out, at % plan.height.out);
    });
}

template <class T>
void fillNearest(const Context& context, const Plan& plan, Nearest rule, Tensor& out)
{
    const T* in = plan.x.data<T>();
    T* to = out.mutableData<T>();
    forEachOutputRow(context, plan, [&](std::int64_t plane, std::int64_t start, std::int64_t depth, std::int64_t y) {
        const std::int64_t z = plane * plan.depth.in + nearestAt(plan.depth, depth, rule);
        const T* row = in + (z * plan.height.in + nearestAt(plan.height, y, rule)) * plan.width.in;
        for (std::int64_t x = 0; x < plan.width.out; ++x)
            to[start + x] = row[nearestAt(plan.width, x, rule)];
    });
}

template <class T>
void fillLinear(const Context& context, const Plan& plan, bool alignCorners, Tensor& out)
{
    const T* in = plan.x.data<T>();
    T* to = out.mutableData<T>();
    const auto between = [](T a, T b, T weight) { return (T(1) - weight) * a + weight * b; };
    forEachOutputRow(context, plan, [&](std::int64_t plane, std::int64_t start, std::int64_t depth, std::int64_t y) {
        const auto d = neighboursOf<T>(plan.depth, depth, alignCorners);
        const auto v = neighboursOf<T>(plan.height, y, alignCorners);
        const auto rowOf = [&](std::int64_t z, std::int64_t line) {
            return in + ((plane * plan.depth.in + z) * plan.height.in + line) * plan.width.in;
        };
        const T* corners[] = {rowOf(d.first, v.first), rowOf(d.first, v.second), rowOf(d.second, v.first),
                              rowOf(d.second, v.second)};
        for (std::int64_t x = 0; x < plan.width.out; ++x) {
            const auto h = neighboursOf<T>(plan.width, x, alignCorners);
            const auto line = [&](const T* row) { return between(row[h.first], row[h.second], h.weight); };
            const T upper = between(line(corners[0]), line(corners[1]), v.weight);
            const T lower =
                plan.depth.in == plan.depth.out ? upper : between(line(corners[2]), line(corners[3]), v.weight);
            to[start + x] = plan.depth.in == plan.depth.out ? upper : between(upper, lower, d.weight);
        }
    });
}

template <class T>
std::array<T, 4> cubicWeights(T t)
{
    constexpr T kA = T(-0.75);
    const auto near = [](T x) { return ((kA + T(2)) * x - (kA + T(3))) * x * x + T(1); };
    const auto far = [](T x) { return ((kA * x - T(5) * kA) * x + T(8) * kA) * x - T(4) * kA; };
    return {far(t + T(1)), near(t), near(T(1) - t), far(T(2) - t)};
}

/// Four neighbours along an axis, those beyond the edge read at the edge.
template <class T>
struct Cubic {
    std::array<std::int64_t, 4> index;
    std::array<T, 4> weight;
};

template <class T>
Cubic<T> cubicOf(const Axis& axis, std::int64_t at, bool alignCorners)
{
    const T step = static_cast<T>(stepOf(axis, alignCorners));
    const T position = alignCorners ? step * static_cast<T>(at) : step * (static_cast<T>(at) + T(0.5)) - T(0.5);
    const T first = std::floor(position);
    Cubic<T> out{{}, cubicWeights(position - first)};
    for (std::size_t i = 0; i < 4; ++i)
        out.index[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(first) + static_cast<std::int64_t>(i) - 1, 0,
                                                axis.in - 1);
    return out;
}

template <class T>
void fillCubic(const Context& context, const Plan& plan, bool alignCorners, Tensor& out)
{
    const T* in = plan.x.data<T>();
    T* to = out.mutableData<T>();
    forEachOutputRow(context, plan, [&](std::int64_t plane, std::int64_t start, std::int64_t, std::int64_t y) {
        const auto v = cubicOf<T>(plan.height, y, alignCorners);
        for (std::int64_t x = 0; x < plan.width.out; ++x) {
            const auto h = cubicOf<T>(plan.width, x, alignCorners);
            T sum = T(0);
            for (std::size_t i = 0; i < 4; ++i) {
                const T* row = in + (plane * plan.height.in + v.index[i]) * plan.width.in;
                T line = T(0);
                for (std::size_t j = 0; j < 4; ++j)
                    line += row[h.index[j]] * h.weight[j];
                sum += line * v.weight[i];
            }
            to[start + x] = sum;
        }
    });
}

template <std::size_t Spatial, bool Vec, Nearest Rule = Nearest::Floor>
Result<Value> nearest(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::vector<Axis> axes, Vec ? axesOfVec(call, x, Spatial, 2) : axesOf(call, x, Spatial, 2));
    GB_ASSIGN(const Plan plan, makePlan(x, axes));
    GB_ASSIGN(Tensor out, makeTensor(plan.x.dtype(), plan.shape));
    dispatchCompute(out.dtype(), [&]<class T>() { fillNearest<T>(call.context(), plan, Rule, out); });
    return Value(out.to(plan.dtype));
}

/// linear and cubic: fill<T>(plan, align corners, out).
template <std::size_t Spatial, bool Vec, class F>
Result<Value> interpolate(const Call& call, const F& fill)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const bool alignCorners, call.boolean(2, false));
    GB_ASSIGN(const std::vector<Axis> axes, Vec ? axesOfVec(call, x, Spatial, 3) : axesOf(call, x, Spatial, 3));
    GB_TRY(expectFloat(x, "upsample input"));
    GB_ASSIGN(const Plan plan, makePlan(x, axes));
    GB_ASSIGN(Tensor out, makeTensor(plan.x.dtype(), plan.shape));
    if (out.dtype() == DType::Float64)
        fill.template operator()<double>(plan, alignCorners, out);
    else
        fill.template operator()<float>(plan, alignCorners, out);
    return Value(out.to(plan.dtype));
}

template <std::size_t Spatial, bool Vec>
Result<Value> linear(const Call& call)
{
    return interpolate<Spatial, Vec>(call, [&]<class T>(const Plan& plan, bool alignCorners, Tensor& out) {
        fillLinear<T>(call.context(), plan, alignCorners, out);
    });
}

template <bool Vec>
Result<Value> cubic(const Call& call)
{
    return interpolate<2, Vec>(call, [&]<class T>(const Plan& plan, bool alignCorners, Tensor& out) {
        fillCubic<T>(call.context(), plan, alignCorners, out);
    });
}

const KernelRow kRows[] = {
    {"aten.upsample_nearest1d.default", nearest<1, false>, "self output_size scales"},
    {"aten.upsample_nearest1d.vec", nearest<1, true>, "input output_size scale_factors"},
    {"aten.upsample_nearest2d.default", nearest<2, false>, "self output_size scales_h scales_w"},
    {"aten.upsample_nearest2d.vec", nearest<2, true>, "input output_size scale_factors"},
    {"aten.upsample_nearest3d.default", nearest<3, false>, "self output_size scales_d scales_h scales_w"},
    {"aten.upsample_nearest3d.vec", nearest<3, true>, "input output_size scale_factors"},
    {"aten._upsample_nearest_exact1d.default", nearest<1, false, Nearest::Exact>, "self output_size scales"},
    {"aten._upsample_nearest_exact1d.vec", nearest<1, true, Nearest::Exact>, "input output_size scale_factors"},
    {"aten._upsample_nearest_exact2d.default", nearest<2, false, Nearest::Exact>, "self output_size scales_h scales_w"},
    {"aten._upsample_nearest_exact2d.vec", nearest<2, true, Nearest::Exact>, "input output_size scale_factors"},
    {"aten._upsample_nearest_exact3d.vec", nearest<3, true, Nearest::Exact>, "input output_size scale_factors"},
    {"aten.upsample_linear1d.default", linear<1, false>, "self output_size align_corners scales"},
    {"aten.upsample_linear1d.vec", linear<1, true>, "input output_size align_corners scale_factors"},
    {"aten.upsample_bilinear2d.default", linear<2, false>, "self output_size align_corners scales_h scales_w"},
    {"aten.upsample_bilinear2d.vec", linear<2, true>, "input output_size align_corners scale_factors"},
    {"aten.upsample_trilinear3d.default", linear<3, false>,
     "self output_size align_corners scales_d scales_h scales_w"},
    {"aten.upsample_trilinear3d.vec", linear<3, true>, "input output_size align_corners scale_factors"},
    {"aten.upsample_bicubic2d.default", cubic<false>, "self output_size align_corners scales_h scales_w"},
    {"aten.upsample_bicubic2d.vec", cubic<true>, "input output_size align_corners scale_factors"},
};

} // namespace

std::span<const KernelRow> upsampleKernels()
{
    return kRows;
}

} // namespace gb::ops
