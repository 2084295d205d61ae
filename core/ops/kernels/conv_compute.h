// The three ways to compute a convolution.
//
// Precondition of all: the tensors are contiguous and fit the geometry; `out` is new. Float32 except convPlain.
//
// Thread: pure functions; work is shared among the context's pool.
#pragma once

#include "ops/kernels/conv_geometry.h"

namespace gb::ops {

/// The matrix product over im2col, which is read in padded planes where it can be. `bias` (one value an output channel)
/// may be null. A weight that stays as it is is packed once.
void convByProduct(const Context& context, const ConvGeometry& g, const float* input, const ir::Tensor& weight,
                   const float* bias, float* out);
/// One channel in, one out a group: row by row without a matrix.
void convDepthwise(const Context& context, const ConvGeometry& g, const float* input, const float* weight,
                   const float* bias, float* out);
/// The same, for the outputs that share a place between two inputs at a time.
void convTransposed(const Context& context, const ConvGeometry& g, const float* input, const float* weight, float* out);
/// Plain loops in double, for the dtypes that are not float32.
void convPlain(const Context& context, const ConvGeometry& g, const double* input, const double* weight, double* out,
               bool transposed);

} // namespace gb::ops
