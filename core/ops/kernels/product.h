// Matrix products of tensors, for matmul, linear, attention and the recurrent ops.
//
// float32 goes to the packed product, float16 and bfloat16 through float32, float64 and integers to plain loops.
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

namespace gb::ops {

/// torch.matmul: vectors, matrices, and batches of matrices that broadcast. RuntimeError on sizes that do not fit.
base::Result<ir::Tensor> matmulTensors(const Context& context, const ir::Tensor& a, const ir::Tensor& b);
/// torch.nn.functional.linear: x @ weight.T + bias. RuntimeError on sizes or dtypes that do not fit.
base::Result<ir::Tensor> linearTensors(const Context& context, const ir::Tensor& x, const ir::Tensor& weight,
                                       const std::optional<ir::Tensor>& bias);
/// a + b elementwise, broadcast, both of one dtype (half too).
base::Result<ir::Tensor> addTensors(const Context& context, const ir::Tensor& a, const ir::Tensor& b);

} // namespace gb::ops
