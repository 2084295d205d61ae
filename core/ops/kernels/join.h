// Tensors joined along a dimension, for several kernels.
//
// Source: aten/src/ATen/native/TensorShape.cpp (cat).
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"

namespace gb::ops {

/// torch.cat: the result type of all parts; empty 1-dimensional ones are passed over. Errors as torch's.
base::Result<ir::Tensor> joinTensors(const Context& context, const std::vector<ir::Tensor>& parts, std::int64_t dim);

} // namespace gb::ops
