#include "ops/kernels/views.h"

#include <algorithm>

namespace gb::ops {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Shape;
using ir::Tensor;

namespace {

/// The strides of a view, or nothing where the elements do not lie so (at::detail::computeStride).
std::optional<Shape> viewStrides(const Tensor& x, const Shape& shape)
{
    if (x.elementCount() == 0)
        return ir::contiguousStrides(shape);
    Shape out(shape.size());
    auto view = static_cast<std::ptrdiff_t>(shape.size()) - 1;
    std::int64_t base = x.dim() > 0 ? x.strides().back() : 1;
    std::int64_t have = 1;
    std::int64_t want = 1;
    for (std::int64_t dim = x.dim() - 1; dim >= 0; --dim) {
        have *= x.shape()[static_cast<std::size_t>(dim)];
        const bool ends =
            dim == 0 || (x.size(dim - 1) != 1 && x.strides()[static_cast<std::size_t>(dim - 1)] != have * base);
        if (!ends)
            continue;
        while (view >= 0 && (want < have || shape[static_cast<std::size_t>(view)] == 1)) {
            out[static_cast<std::size_t>(view)] = want * base;
            want *= shape[static_cast<std::size_t>(view)];
            --view;
        }
        if (want != have)
            return std::nullopt;
        if (dim > 0) {
            base = x.strides()[static_cast<std::size_t>(dim - 1)];
            have = 1;
            want = 1;
        }
    }
    if (x.dim() == 0)
        std::fill(out.begin(), out.end(), 1);
    return out;
}

} // namespace

Result<Shape> inferShape(const Shape& shape, std::int64_t elements)
{
    Shape out = shape;
    std::int64_t known = 1;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1) {
            if (open)
                return runtimeError("shape {0}, only one -1 expected", ir::toText(shape));
            open = i;
            continue;
        }
        if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known))
            return runtimeError("shape {0} is invalid, sizes of 0 or more expected", ir::toText(shape));
    }
    const bool fits = open ? known > 0 && elements % known == 0 : known == elements;
    if (!fits)
        return runtimeError("shape {0} for {1} elements, the same number expected", ir::toText(shape), elements);
    if (open)
        out[*open] = elements / known;
    return out;
}

Result<Tensor> reshapeTensor(const Tensor& x, const Shape& shape)
{
    GB_ASSIGN(const Shape full, inferShape(shape, x.elementCount()));
    if (const std::optional<Shape> strides = viewStrides(x, full))
        return x.asStrided(full, *strides);
    return x.reshaped(full);
}

Result<Tensor> narrowTensor(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length)
{
    if (x.dim() == 0)
        return runtimeError("a 0-dimensional tensor cannot be narrowed, dimensions expected");
    const std::int64_t size = x.size(dim);
    if (start < 0 || length < 0 || start > size || length > size - start)
        return runtimeError("start {0} and length {1}, inside size {2} expected", start, length, size);
    return sliceTensor(x, dim, start, start + length, 1);
}

Result<Tensor> sliceTensor(const Tensor& x, std::int64_t dim, std::optional<std::int64_t> start,
                           std::optional<std::int64_t> end, std::int64_t step)
{
    if (x.dim() == 0)
        return runtimeError("a 0-dimensional tensor cannot be sliced, dimensions expected");
    if (step <= 0)
        return runtimeError("slice step {0}, 1 or more expected", step);
    const auto at = static_cast<std::size_t>(dim);
    const std::int64_t size = x.shape()[at];
    const auto limit = [size](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
    const std::int64_t first = limit(start.value_or(0));
    const std::int64_t last = std::max(first, limit(end.value_or(size)));
    const std::int64_t count = (last - first) / step + ((last - first) % step != 0 ? 1 : 0);
    Shape shape = x.shape();
    Shape strides = x.strides();
    shape[at] = count;
    const std::int64_t offset = count == 0 ? 0 : first * strides[at];
    if (count > 1)
        strides[at] *= step;
    return x.asStrided(shape, strides, offset);
}

Result<Tensor> selectTensor(const Tensor& x, std::int64_t dim, std::int64_t index)
{
    if (x.dim() == 0)
        return Error{ErrorCode::IndexError, "select on a 0-dimensional tensor, dimensions expected", {}};
    const auto at = static_cast<std::size_t>(dim);
    const std::int64_t size = x.shape()[at];
    if (index < -size || index >= size)
        return Error{ErrorCode::IndexError, base::say("index {0}, {1} to {2} expected", index, -size, size - 1), {}};
    Shape shape = x.shape();
    Shape strides = x.strides();
    const std::int64_t offset = x.elementCount() == 0 ? 0 : (index < 0 ? index + size : index) * strides[at];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at));
    strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(at));
    return x.asStrided(shape, strides, offset);
}

Result<Tensor> permuteTensor(const Tensor& x, const Shape& order)
{
    if (static_cast<std::int64_t>(order.size()) != x.dim())
        return runtimeError("{0} dimensions for {1}, {2} expected", order.size(), ir::describe(x), x.dim());
    Shape shape;
    Shape strides;
    std::vector<bool> seen(order.size());
    for (const std::int64_t given : order) {
        GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
        if (seen[static_cast<std::size_t>(dim)])
            return runtimeError("dimension {0} appears twice in {1}, a permutation expected", dim, ir::toText(order));
        seen[static_cast<std::size_t>(dim)] = true;
        shape.push_back(x.size(dim));
        strides.push_back(x.strides()[static_cast<std::size_t>(dim)]);
    }
    return x.asStrided(shape, strides);
}

Result<std::int64_t> dimArgument(const Call& call, std::size_t index, std::int64_t rank, std::int64_t otherwise)
{
    GB_ASSIGN(const std::int64_t given, call.integer(index, otherwise));
    return wrapDim(given, rank);
}

Value copied(const Value& value)
{
    if (const Tensor* tensor = value.tensor())
        return tensor->clone();
    ValueList out;
    if (const ValueList* items = value.list())
        for (const Value& item : *items)
            out.push_back(copied(item));
    return out;
}

Tensor unsqueezeTensor(const Tensor& x, std::int64_t dim)
{
    Shape shape = x.shape();
    Shape strides = x.strides();
    const auto at = static_cast<std::ptrdiff_t>(dim);
    const bool last = dim == x.dim();
    strides.insert(strides.begin() + at, last ? 1 : x.size(dim) * x.strides()[static_cast<std::size_t>(dim)]);
    shape.insert(shape.begin() + at, 1);
    return x.asStrided(shape, strides);
}

} // namespace gb::ops
