// Views of a tensor that several kernels need.
//
// Source: aten/src/ATen/TensorUtils.cpp (computeStride, infer_size).
//
// Thread: pure functions.
#pragma once

#include "ops/checks.h"
#include "ops/kernel_table.h"

namespace gb::ops {

/// The shape with one -1 replaced by what is left. RuntimeError when it cannot be.
base::Result<ir::Shape> inferShape(const ir::Shape& shape, std::int64_t elements);
/// Another shape of the same elements: a view where the strides allow it, else a copy.
base::Result<ir::Tensor> reshapeTensor(const ir::Tensor& x, const ir::Shape& shape);
/// x.narrow(dim, start, length); dim wrapped, the range checked. RuntimeError when it is outside.
base::Result<ir::Tensor> narrowTensor(const ir::Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length);
/// x.slice(dim, start, end, step): limits are clipped as Python's.
base::Result<ir::Tensor> sliceTensor(const ir::Tensor& x, std::int64_t dim, std::optional<std::int64_t> start,
                                     std::optional<std::int64_t> end, std::int64_t step);
/// x.select(dim, index). IndexError when outside.
base::Result<ir::Tensor> selectTensor(const ir::Tensor& x, std::int64_t dim, std::int64_t index);
/// Dimensions in another order. RuntimeError unless it is a permutation.
base::Result<ir::Tensor> permuteTensor(const ir::Tensor& x, const ir::Shape& order);
/// An argument that names a dimension of a tensor of this rank, wrapped.
base::Result<std::int64_t> dimArgument(const Call& call, std::size_t index, std::int64_t rank, std::int64_t otherwise);
/// The same values, the elements of tensors copied.
Value copied(const Value& value);
/// A view op's kernel with its elements copied: the _copy ops.
template <Kernel View>
base::Result<Value> copyOf(const Call& call)
{
    GB_ASSIGN(const Value view, View(call));
    return copied(view);
}
/// A dimension of size 1 put in at `dim` (0 to rank).
ir::Tensor unsqueezeTensor(const ir::Tensor& x, std::int64_t dim);

} // namespace gb::ops
