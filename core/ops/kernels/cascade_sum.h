// The sum of neighbouring float32 numbers in the order in which torch adds them.
//
// Source: aten/src/ATen/native/cpu/SumKernel.cpp (cascade_sum: vectorized_inner_sum, multi_row_sum), with AVX-512 and
// two threads.
//
// Thread: pure functions.
#pragma once

#include <cstdint>

namespace gb::ops {

/// To the bit as torch sums each of `rows` rows. Where there is one row only, a long one is cut into a part for each of
/// two threads.
float cascadeSum(const float* values, std::int64_t count, std::int64_t rows);

} // namespace gb::ops
