// view, permute, slice, split and their like: results look into the memory of the argument, as in torch.
//
// Source: aten/src/ATen/native/TensorShape.cpp.
#include "ops/kernels/views.h"

#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::Shape;
using ir::Tensor;

Result<Value> reshape(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape shape, call.ints(1));
    GB_ASSIGN(Tensor out, reshapeTensor(x, shape));
    return Value(std::move(out));
}

Result<Value> viewAs(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor other, call.tensor(1));
    GB_ASSIGN(Tensor out, reshapeTensor(x, other.shape()));
    return Value(std::move(out));
}

Result<Value> flatten(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t first, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::int64_t last, dimArgument(call, 2, x.dim(), -1));
    if (first > last)
        return runtimeError("start_dim {0} after end_dim {1}, before it expected", first, last);
    if (x.dim() == 0)
        return Value(x.reshaped({1}));
    Shape shape(x.shape().begin(), x.shape().begin() + first);
    std::int64_t merged = 1;
    for (std::int64_t dim = first; dim <= last; ++dim)
        merged *= x.size(dim);
    shape.push_back(merged);
    shape.insert(shape.end(), x.shape().begin() + last + 1, x.shape().end());
    GB_ASSIGN(Tensor out, reshapeTensor(x, shape));
    return Value(std::move(out));
}

Result<Value> unflatten(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const Shape sizes, call.ints(2));
    if (x.dim() == 0)
        return runtimeError("unflatten of a 0-dimensional tensor, dimensions expected");
    GB_ASSIGN(const Shape inferred, inferShape(sizes, x.size(dim)));
    Shape shape(x.shape().begin(), x.shape().begin() + dim);
    shape.insert(shape.end(), inferred.begin(), inferred.end());
    shape.insert(shape.end(), x.shape().begin() + dim + 1, x.shape().end());
    GB_ASSIGN(Tensor out, reshapeTensor(x, shape));
    return Value(std::move(out));
}

Result<Value> permute(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape order, call.ints(1));
    GB_ASSIGN(Tensor out, permuteTensor(x, order));
    return Value(std::move(out));
}

Result<Value> transpose(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t a, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::int64_t b, dimArgument(call, 2, x.dim(), 0));
    Shape shape = x.shape();
    Shape strides = x.strides();
    if (x.dim() > 0) {
        std::swap(shape[static_cast<std::size_t>(a)], shape[static_cast<std::size_t>(b)]);
        std::swap(strides[static_cast<std::size_t>(a)], strides[static_cast<std::size_t>(b)]);
    }
    return Value(x.asStrided(shape, strides));
}

/// t, and numpy_T for two dimensions.
Result<Value> transposeMatrix(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (x.dim() > 2)
        return runtimeError("t of {0}, at most two dimensions expected", ir::describe(x));
    Shape shape(x.shape().rbegin(), x.shape().rend());
    Shape strides(x.strides().rbegin(), x.strides().rend());
    return Value(x.asStrided(shape, strides));
}

Result<Value> unsqueeze(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim() + 1, 0));
    return Value(unsqueezeTensor(x, dim));
}

Tensor squeezed(const Tensor& x, const Shape& dims)
{
    Shape shape;
    Shape strides;
    for (std::int64_t dim = 0; dim < x.dim(); ++dim) {
        if (x.size(dim) == 1 && std::find(dims.begin(), dims.end(), dim) != dims.end())
            continue;
        shape.push_back(x.size(dim));
        strides.push_back(x.strides()[static_cast<std::size_t>(dim)]);
    }
    return x.asStrided(shape, strides);
}

Result<Value> squeezeAll(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, wrapDims({}, x.dim()));
    return Value(squeezed(x, dims));
}

Result<Value> squeezeDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape dims, call.ints(1));
    if (dims.empty())
        return Value(x);
    GB_ASSIGN(const Shape wrapped, wrapDims(dims, x.dim()));
    return Value(squeezed(x, wrapped));
}

/// -1 keeps a size.
Result<Value> expand(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Shape shape, call.ints(1));
    if (static_cast<std::int64_t>(shape.size()) < x.dim())
        return runtimeError("expand of {0} to {1}, at least as many dimensions expected", ir::describe(x),
                            ir::toText(shape));
    const std::size_t added = shape.size() - x.shape().size();
    for (std::size_t i = added; i < shape.size(); ++i)
        if (shape[i] == -1)
            shape[i] = x.shape()[i - added];
    GB_ASSIGN(Tensor out, broadcastTo(x, shape));
    return Value(std::move(out));
}

Result<Value> expandAs(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor other, call.tensor(1));
    GB_ASSIGN(Tensor out, broadcastTo(x, other.shape()));
    return Value(std::move(out));
}

Result<std::optional<std::int64_t>> maybeInteger(const Call& call, std::size_t index)
{
    if (!call.has(index))
        return std::optional<std::int64_t>();
    GB_ASSIGN(const std::int64_t value, call.integer(index));
    return std::optional<std::int64_t>(value);
}

Result<Value> slice(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::optional<std::int64_t> start, maybeInteger(call, 2));
    GB_ASSIGN(const std::optional<std::int64_t> end, maybeInteger(call, 3));
    GB_ASSIGN(const std::int64_t step, call.integer(4, 1));
    GB_ASSIGN(Tensor out, sliceTensor(x, dim, start, end, step));
    return Value(std::move(out));
}

Result<Value> narrow(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::int64_t start, call.integer(2));
    GB_ASSIGN(const std::int64_t length, call.integer(3));
    const std::int64_t size = x.dim() > 0 ? x.size(dim) : 0;
    GB_ASSIGN(Tensor out, narrowTensor(x, dim, start < 0 ? start + size : start, length));
    return Value(std::move(out));
}

Result<Value> select(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::int64_t index, call.integer(2));
    GB_ASSIGN(Tensor out, selectTensor(x, dim, index));
    return Value(std::move(out));
}

Result<Value> same(const Call& call)
{
    GB_ASSIGN(Tensor x, call.tensor(0));
    return Value(std::move(x));
}

Result<Value> contiguous(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    return Value(x.contiguous());
}

/// Windows of `size` elements every `step` along a dimension, as a new last dimension.
Result<Value> unfold(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    GB_ASSIGN(const std::int64_t size, call.integer(2));
    GB_ASSIGN(const std::int64_t step, call.integer(3));
    const std::int64_t have = x.dim() == 0 ? 1 : x.size(dim);
    if (size < 0 || size > have || step < 1)
        return runtimeError("unfold of {0} by size {1} and step {2}, sizes up to {3} expected", ir::describe(x), size,
                            step, have);
    if (x.dim() == 0)
        return Value(x.asStrided({size}, {1}));
    const auto at = static_cast<std::size_t>(dim);
    Shape shape = x.shape();
    Shape strides = x.strides();
    shape[at] = (have - size) / step + 1;
    shape.push_back(size);
    strides.push_back(strides[at]);
    if (shape[at] > 1)
        strides[at] *= step;
    return Value(x.asStrided(shape, strides));
}

Result<Value> diagonal(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t offset, call.integer(1, 0));
    GB_ASSIGN(const std::int64_t rows, dimArgument(call, 2, x.dim(), 0));
    GB_ASSIGN(const std::int64_t cols, dimArgument(call, 3, x.dim(), 1));
    if (rows == cols)
        return runtimeError("diagonal of dimension {0} with itself, two dimensions expected", rows);
    const std::int64_t below = offset < 0 ? std::min(x.size(rows), -std::max(offset, -x.size(rows))) : 0;
    const std::int64_t right = offset > 0 ? std::min(x.size(cols), offset) : 0;
    const std::int64_t rowStride = x.strides()[static_cast<std::size_t>(rows)];
    const std::int64_t colStride = x.strides()[static_cast<std::size_t>(cols)];
    Shape shape;
    Shape strides;
    for (std::int64_t dim = 0; dim < x.dim(); ++dim)
        if (dim != rows && dim != cols) {
            shape.push_back(x.size(dim));
            strides.push_back(x.strides()[static_cast<std::size_t>(dim)]);
        }
    shape.push_back(std::min(x.size(rows) - below, x.size(cols) - right));
    strides.push_back(rowStride + colStride);
    const bool empty = shape.back() == 0 || x.elementCount() == 0;
    return Value(x.asStrided(shape, strides, empty ? 0 : below * rowStride + right * colStride));
}

Result<Value> movedDims(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape from, call.ints(1));
    GB_ASSIGN(const Shape to, call.ints(2));
    if (from.size() != to.size())
        return runtimeError("{0} sources and {1} destinations, the same number expected", from.size(), to.size());
    Shape order(x.shape().size(), -1);
    std::vector<bool> used(order.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        GB_ASSIGN(const std::int64_t source, wrapDim(from[i], x.dim()));
        GB_ASSIGN(const std::int64_t target, wrapDim(to[i], x.dim()));
        if (x.dim() == 0)
            return Value(x);
        if (order[static_cast<std::size_t>(target)] != -1 || used[static_cast<std::size_t>(source)])
            return runtimeError("dimensions {0} to {1}, each once expected", ir::toText(from), ir::toText(to));
        order[static_cast<std::size_t>(target)] = source;
        used[static_cast<std::size_t>(source)] = true;
    }
    std::size_t next = 0;
    for (std::int64_t& dim : order) {
        if (dim != -1)
            continue;
        while (used[next])
            ++next;
        dim = static_cast<std::int64_t>(next++);
    }
    GB_ASSIGN(Tensor out, permuteTensor(x, order));
    return Value(std::move(out));
}

constexpr Alias kView = Alias::Maybe;

const KernelRow kRows[] = {
    {"aten.view.default", reshape, "self size", kView},
    {"aten.reshape.default", reshape, "self shape", kView},
    {"aten._unsafe_view.default", reshape, "self size", kView},
    {"aten.view_copy.default", copyOf<reshape>, "self size"},
    {"aten.view_as.default", viewAs, "self other", kView},
    {"aten.reshape_as.default", viewAs, "self other", kView},
    {"aten.flatten.using_ints", flatten, "self start_dim end_dim", kView},
    {"aten.unflatten.int", unflatten, "self dim sizes", kView},
    {"aten.permute.default", permute, "self dims", kView},
    {"aten.permute_copy.default", copyOf<permute>, "self dims"},
    {"aten.transpose.int", transpose, "self dim0 dim1", kView},
    {"aten.transpose_copy.int", copyOf<transpose>, "self dim0 dim1"},
    {"aten.swapaxes.default", transpose, "self axis0 axis1", kView},
    {"aten.movedim.int", movedDims, "self source destination", kView},
    {"aten.movedim.intlist", movedDims, "self source destination", kView},
    {"aten.t.default", transposeMatrix, "self", kView},
    {"aten.t_copy.default", copyOf<transposeMatrix>, "self"},
    {"aten.numpy_T.default", transposeMatrix, "self", kView},
    {"aten.unsqueeze.default", unsqueeze, "self dim", kView},
    {"aten.unsqueeze_copy.default", copyOf<unsqueeze>, "self dim"},
    {"aten.squeeze.default", squeezeAll, "self", kView},
    {"aten.squeeze.dim", squeezeDims, "self dim", kView},
    {"aten.squeeze.dims", squeezeDims, "self dim", kView},
    {"aten.squeeze_copy.dim", copyOf<squeezeDims>, "self dim"},
    {"aten.squeeze_copy.dims", copyOf<squeezeDims>, "self dim"},
    {"aten.expand.default", expand, "self size implicit", kView},
    {"aten.expand_copy.default", copyOf<expand>, "self size implicit"},
    {"aten.expand_as.default", expandAs, "self other", kView},
    {"aten.slice.Tensor", slice, "self dim start end step", kView},
    {"aten.slice_copy.Tensor", copyOf<slice>, "self dim start end step"},
    {"aten.narrow.default", narrow, "self dim start length", kView},
    {"aten.select.int", select, "self dim index", kView},
    {"aten.select_copy.int", copyOf<select>, "self dim index"},
    {"aten.unfold.default", unfold, "self dimension size step", kView},
    {"aten.unfold_copy.default", copyOf<unfold>, "self dimension size step"},
    {"aten.diagonal.default", diagonal, "self offset dim1 dim2", kView},
    {"aten.diagonal_copy.default", copyOf<diagonal>, "self offset dim1 dim2"},
    {"aten.alias.default", same, "self", kView},
    {"aten.alias_copy.default", copyOf<same>, "self"},
    {"aten.detach.default", same, "self", kView},
    {"aten.detach_.default", same, "self", kView},
    {"aten.detach_copy.default", copyOf<same>, "self"},
    {"aten.contiguous.default", contiguous, "self memory_format", kView},
    {"aten.clone.default", copyOf<same>, "self memory_format"},
    {"aten.lift_fresh.default", same, "self", kView},
    {"aten.lift_fresh_copy.default", copyOf<same>, "self"},
};

} // namespace

std::span<const KernelRow> viewKernels()
{
    return kRows;
}

} // namespace gb::ops
