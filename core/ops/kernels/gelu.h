// gelu by the error function, as torch computes it for a contiguous tensor.
//
// Source: aten/src/ATen/native/Activation.cpp (gelu_out_cpu), which leaves contiguous float32 and bfloat16 tensors of
// more than one element to oneDNN's eltwise_gelu_erf; the polynomials are those of its AVX-512 code (oneDNN 3.12).
//
// Thread: a pure function.
#pragma once

#include <cstdint>

namespace gb::ops {

/// out[i] = x[i] * (1 + erf(x[i] / sqrt(2))) / 2, to the bit as torch with AVX-512; NaN for infinities, as there.
void geluRow(const float* x, float* out, std::int64_t count);

} // namespace gb::ops
