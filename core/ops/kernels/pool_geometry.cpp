#include "ops/kernels/pool_geometry.h"

namespace gb::ops {

using base::Result;
using base::Status;
using ir::Shape;
using ir::Tensor;

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

std::int64_t floorDivide(std::int64_t a, std::int64_t b)
{
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Status setPlanes(const Tensor& x, std::size_t spatial, PoolWindow& window)
{
    const auto rank = x.shape().size();
    if (rank < spatial + 1)
        return runtimeError("input {0}, {1} or {2} dimensions expected", ir::describe(x), spatial + 1, spatial + 2);
    for (std::size_t i = 0; i + spatial < rank; ++i) {
        window.planes *= x.shape()[i];
        window.outShape.push_back(x.shape()[i]);
    }
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t size = x.shape()[rank - spatial + i];
        if (size == 0 || size > kLargest)
            return runtimeError("input {0}, spatial sizes of 1 or more expected", ir::describe(x));
        window.input[3 - spatial + i] = size;
    }
    return {};
}

Status setOutput(PoolWindow& w, std::size_t axis, bool ceilMode)
{
    for (const std::int64_t value : {w.kernel[axis], w.stride[axis], w.dilation[axis]})
        if (value < 1 || value > kLargest)
            return runtimeError("pool kernel, stride or dilation {0}, 1 or more expected", value);
    const std::int64_t reach = w.dilation[axis] * (w.kernel[axis] - 1) + 1;
    if (w.padding[axis] < 0 || w.padding[axis] > reach / 2)
        return runtimeError("pool padding {0}, at most half of the kernel size {1} expected", w.padding[axis], reach);
    const std::int64_t last = w.input[axis] + 2 * w.padding[axis] - reach + (ceilMode ? w.stride[axis] - 1 : 0);
    std::int64_t size = floorDivide(last, w.stride[axis]) + 1;
    // a window that would begin in the padding at the end is left out
    if (ceilMode && (size - 1) * w.stride[axis] >= w.input[axis] + w.padding[axis])
        --size;
    if (size < 1)
        return runtimeError("pool output size {0} for input size {1} and kernel size {2}, 1 or more expected", size,
                            w.input[axis], w.kernel[axis]);
    w.output[axis] = size;
    return {};
}

} // namespace

Result<PoolWindow> readPoolWindow(const Call& call, const Tensor& x, std::size_t spatial,
                                  std::optional<std::size_t> dilationAt, std::size_t ceilAt)
{
    PoolWindow window;
    GB_TRY(setPlanes(x, spatial, window));
    GB_ASSIGN(const Shape kernel, call.intsOf(1, spatial, 1));
    GB_ASSIGN(const Shape stride, call.intsOf(2, spatial, 0));
    GB_ASSIGN(const Shape padding, call.intsOf(3, spatial, 0));
    Shape dilation(spatial, 1);
    if (dilationAt) {
        GB_ASSIGN(dilation, call.intsOf(*dilationAt, spatial, 1));
    }
    GB_ASSIGN(const bool ceilMode, call.boolean(ceilAt, false));
    const ValueList* given = call.value(2).list();
    const bool ownStride = !call.has(2) || (given && given->empty());
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::size_t axis = 3 - spatial + i;
        window.kernel[axis] = kernel[i];
        window.stride[axis] = ownStride ? kernel[i] : stride[i];
        window.padding[axis] = padding[i];
        window.dilation[axis] = dilation[i];
        GB_TRY(setOutput(window, axis, ceilMode));
        window.outShape.push_back(window.output[axis]);
    }
    return window;
}

Result<PoolWindow> readAdaptiveWindow(const Call& call, const Tensor& x, std::size_t spatial)
{
    PoolWindow window;
    GB_TRY(setPlanes(x, spatial, window));
    GB_ASSIGN(const Shape output, call.intsOf(1, spatial, -1));
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::size_t axis = 3 - spatial + i;
        if (output[i] < -1 || output[i] > kLargest)
            return runtimeError("output size {0}, 0 or more expected", output[i]);
        window.output[axis] = output[i] < 0 ? window.input[axis] : output[i];
        window.outShape.push_back(window.output[axis]);
    }
    return window;
}

} // namespace gb::ops
