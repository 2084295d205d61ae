#include "ops/kernels/rows.h"

#include <algorithm>

namespace gb::ops {

using ir::Shape;
using ir::Tensor;

Rows rowsAlong(const Tensor& x, const Shape& dims)
{
    Rows out;
    Shape shape;
    Shape strides;
    const auto reduced = [&](std::size_t axis) {
        return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(axis)) != dims.end();
    };
    for (std::size_t axis = 0; axis < x.shape().size(); ++axis) {
        out.withOnes.push_back(reduced(axis) ? 1 : x.shape()[axis]);
        if (reduced(axis))
            continue;
        shape.push_back(x.shape()[axis]);
        strides.push_back(x.strides()[axis]);
    }
    out.kept = shape;
    out.count = 1;
    for (const std::int64_t size : shape)
        out.count *= size;
    for (std::size_t axis = 0; axis < x.shape().size(); ++axis)
        if (reduced(axis)) {
            shape.push_back(x.shape()[axis]);
            strides.push_back(x.strides()[axis]);
            out.width *= x.shape()[axis];
        }
    out.values = x.asStrided(shape, strides).contiguous();
    return out;
}

Tensor rowsBack(const Tensor& rows, std::int64_t dim)
{
    Shape shape = rows.shape();
    Shape strides = rows.strides();
    if (shape.empty())
        return rows;
    const auto at = static_cast<std::ptrdiff_t>(dim);
    std::rotate(shape.begin() + at, shape.end() - 1, shape.end());
    std::rotate(strides.begin() + at, strides.end() - 1, strides.end());
    return rows.asStrided(shape, strides).contiguous();
}

base::Result<Shape> dimsArgument(const Call& call, std::size_t index, const Tensor& x)
{
    if (!call.has(index))
        return wrapDims({}, x.dim());
    GB_ASSIGN(const Shape dims, call.ints(index));
    GB_ASSIGN(Shape wrapped, wrapDims(dims, x.dim()));
    if (x.dim() == 0)
        return Shape{};
    return wrapped;
}

} // namespace gb::ops
