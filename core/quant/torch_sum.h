// torch.sum of a contiguous float32 vector on a CPU, to the last bit.
//
// Source: aten/src/ATen/native/cpu/SumKernel.cpp (cascade_sum, multi_row_sum). The order is the same for every
// capability that torch dispatches to (measured: DEFAULT, AVX2 and AVX512 all add 8 lanes of 4 rows).
//
// Thread: pure functions.
#pragma once

#include <span>

namespace gb::quant {

/// sum_t1: below 8 values four running sums over every fourth value; from 8 on eight lanes of these.
/// sum_t2: a running sum is emptied into the next of four levels after every 16 values (more for long vectors).
/// torch gives each thread its share from 32,768 values on, and its order then hangs on their number; here it is the
/// order of one thread.
float torchSum(std::span<const float> values);

} // namespace gb::quant
