// sigmoid and silu of neighbouring numbers, as torch's vectors have them.
//
// Source: aten/src/ATen/native/cpu/UnaryOpsKernel.cpp (sigmoid_kernel), cpu/Activation.cpp (silu_kernel).
//
// Thread: pure functions.
#pragma once

#include <cstdint>

namespace gb::ops {

/// out[i] = 1 / (1 + e^-x[i]), to the bit as torch with AVX-512.
void sigmoidRow(const float* x, float* out, std::int64_t count);
/// out[i] = x[i] / (1 + e^-x[i]), likewise.
void siluRow(const float* x, float* out, std::int64_t count);

} // namespace gb::ops
