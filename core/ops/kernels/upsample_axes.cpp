#include "ops/kernels/upsample_axes.h"

#include "ops/kernels/elementwise.h"

namespace gb::ops {

using base::Result;
using ir::Shape;
using ir::Tensor;

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
    if (spatial == 3)
        plan.depth = axes[0];
    if (spatial >= 2)
        plan.height = axes[spatial - 2];
    plan.width = axes.back();
    return plan;
}

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

} // namespace gb::ops
