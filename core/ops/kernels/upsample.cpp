// upsample_nearest and upsample_bilinear / linear.
//
// Source: aten/src/ATen/native/UpSample.h (area_pixel_compute_source_index, nearest_neighbor_compute_source_index),
// UpSample.cpp (compute_output_size).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <algorithm>
#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

/// One spatial axis: sizes, and the scale that was given (0: none).
struct Axis {
    std::int64_t in = 1;
    std::int64_t out = 1;
    double given = 0;
};

struct Plan {
    Tensor x; ///< contiguous, float32 or float64
    DType dtype = DType::Float32;
    Axis height;
    Axis width;
    std::int64_t planes = 1;
    Shape shape;
};

Result<Plan> makePlan(const Tensor& x, const std::vector<Axis>& axes)
{
    GB_TRY(expectReal(x));
    const std::size_t spatial = axes.size();
    if (x.shape().size() != spatial + 2)
        return runtimeError("upsample of {0}, {1} dimensions expected", ir::describe(x), spatial + 2);
    Plan plan;
    plan.dtype = x.dtype();
    plan.x = x.to(computeDType(x.dtype())).contiguous();
    plan.planes = x.size(0) * x.size(1);
    plan.shape = {x.size(0), x.size(1)};
    for (const Axis& axis : axes) {
        if (axis.in < 1 || axis.out < 1)
            return runtimeError("upsample of size {0} to {1}, 1 or more expected", axis.in, axis.out);
        plan.shape.push_back(axis.out);
    }
    if (spatial == 2)
        plan.height = axes[0];
    plan.width = axes.back();
    return plan;
}

/// Sizes from output_size (argument 1), with scales each in an argument of its own.
Result<std::vector<Axis>> axesOf(const Call& call, const Tensor& x, std::size_t spatial, std::size_t scalesAt)
{
    GB_ASSIGN(const Shape sizes, call.intsOf(1, spatial, 0));
    std::vector<Axis> axes(spatial);
    for (std::size_t i = 0; i < spatial; ++i) {
        axes[i].in = i + 2 < x.shape().size() ? x.shape()[i + 2] : 0;
        axes[i].out = sizes[i];
        GB_ASSIGN(axes[i].given, call.real(scalesAt + i, 0.0));
    }
    return axes;
}

/// The .vec overloads: output_size or a list of scale factors.
Result<std::vector<Axis>> axesOfVec(const Call& call, const Tensor& x, std::size_t spatial, std::size_t scalesAt)
{
    GB_ASSIGN(const std::vector<double> scales, call.reals(scalesAt));
    std::vector<Axis> axes(spatial);
    const bool sized = call.has(1);
    GB_ASSIGN(const Shape sizes, call.intsOf(1, spatial, 0));
    if (sized == !scales.empty() || (!sized && scales.size() != spatial))
        return runtimeError("upsample with sizes and scale factors, one of them for {0} dimensions expected", spatial);
    for (std::size_t i = 0; i < spatial; ++i) {
        axes[i].in = i + 2 < x.shape().size() ? x.shape()[i + 2] : 0;
        if (sized) {
            axes[i].out = sizes[i];
            continue;
        }
        const double size = static_cast<double>(axes[i].in) * scales[i];
        if (!(size >= 0 && size < 2147483648.0))
            return runtimeError("scale factor {0} is out of range", scales[i]);
        axes[i].out = static_cast<std::int64_t>(size);
        axes[i].given = scales[i];
    }
    return axes;
}

double stepOf(const Axis& axis, bool alignCorners)
{
    if (alignCorners)
        return axis.out > 1 ? static_cast<double>(axis.in - 1) / static_cast<double>(axis.out - 1) : 0.0;
    return axis.given > 0 ? 1.0 / axis.given : static_cast<double>(axis.in) / static_cast<double>(axis.out);
}

std::int64_t nearestAt(const Axis& axis, std::int64_t at)
{
    if (axis.in == axis.out)
        return at;
    const auto step = static_cast<float>(stepOf(axis, false));
    return std::min(static_cast<std::int64_t>(std::floor(static_cast<float>(at) * step)), axis.in - 1);
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

template <class T>
void fillNearest(const Context& context, const Plan& plan, Tensor& out)
{
    const T* in = plan.x.data<T>();
    T* to = out.mutableData<T>();
    context.forEachChunk(plan.planes, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane)
            for (std::int64_t y = 0; y < plan.height.out; ++y) {
                const T* row = in + (plane * plan.height.in + nearestAt(plan.height, y)) * plan.width.in;
                T* o = to + (plane * plan.height.out + y) * plan.width.out;
                for (std::int64_t x = 0; x < plan.width.out; ++x)
                    o[x] = row[nearestAt(plan.width, x)];
            }
    });
}

template <class T>
void fillLinear(const Context& context, const Plan& plan, bool alignCorners, Tensor& out)
{
    const T* in = plan.x.data<T>();
    T* to = out.mutableData<T>();
    context.forEachChunk(plan.planes, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane)
            for (std::int64_t y = 0; y < plan.height.out; ++y) {
                const auto v = neighboursOf<T>(plan.height, y, alignCorners);
                const T* upper = in + (plane * plan.height.in + v.first) * plan.width.in;
                const T* lower = in + (plane * plan.height.in + v.second) * plan.width.in;
                T* o = to + (plane * plan.height.out + y) * plan.width.out;
                for (std::int64_t x = 0; x < plan.width.out; ++x) {
                    const auto h = neighboursOf<T>(plan.width, x, alignCorners);
                    o[x] = (T(1) - v.weight) * ((T(1) - h.weight) * upper[h.first] + h.weight * upper[h.second])
                           + v.weight * ((T(1) - h.weight) * lower[h.first] + h.weight * lower[h.second]);
                }
            }
    });
}

Result<Value> nearestOf(const Context& context, const Tensor& x, const std::vector<Axis>& axes)
{
    GB_ASSIGN(const Plan plan, makePlan(x, axes));
    GB_ASSIGN(Tensor out, makeTensor(plan.x.dtype(), plan.shape));
    dispatchCompute(out.dtype(), [&]<class T>() { fillNearest<T>(context, plan, out); });
    return Value(out.to(plan.dtype));
}

Result<Value> linearOf(const Context& context, const Tensor& x, const std::vector<Axis>& axes, bool alignCorners)
{
    GB_TRY(expectFloat(x, "upsample input"));
    GB_ASSIGN(const Plan plan, makePlan(x, axes));
    GB_ASSIGN(Tensor out, makeTensor(plan.x.dtype(), plan.shape));
    if (out.dtype() == DType::Float64)
        fillLinear<double>(context, plan, alignCorners, out);
    else
        fillLinear<float>(context, plan, alignCorners, out);
    return Value(out.to(plan.dtype));
}

template <std::size_t Spatial, bool Vec>
Result<Value> nearest(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::vector<Axis> axes, Vec ? axesOfVec(call, x, Spatial, 2) : axesOf(call, x, Spatial, 2));
    return nearestOf(call.context(), x, axes);
}

template <std::size_t Spatial, bool Vec>
Result<Value> linear(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const bool alignCorners, call.boolean(2, false));
    GB_ASSIGN(const std::vector<Axis> axes, Vec ? axesOfVec(call, x, Spatial, 3) : axesOf(call, x, Spatial, 3));
    return linearOf(call.context(), x, axes, alignCorners);
}

const KernelRow kRows[] = {
    {"aten.upsample_nearest1d.default", nearest<1, false>, "self output_size scales"},
    {"aten.upsample_nearest1d.vec", nearest<1, true>, "input output_size scale_factors"},
    {"aten.upsample_nearest2d.default", nearest<2, false>, "self output_size scales_h scales_w"},
    {"aten.upsample_nearest2d.vec", nearest<2, true>, "input output_size scale_factors"},
    {"aten.upsample_linear1d.default", linear<1, false>, "self output_size align_corners scales"},
    {"aten.upsample_linear1d.vec", linear<1, true>, "input output_size align_corners scale_factors"},
    {"aten.upsample_bilinear2d.default", linear<2, false>, "self output_size align_corners scales_h scales_w"},
    {"aten.upsample_bilinear2d.vec", linear<2, true>, "input output_size align_corners scale_factors"},
};

} // namespace

std::span<const KernelRow> upsampleKernels()
{
    return kRows;
}

} // namespace gb::ops
