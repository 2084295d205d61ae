// Mean and variance of a row of floats, to the bit as torch's layer norm has them.
//
// Source: aten/src/ATen/native/cpu/moments_utils.h (RowwiseMoments) as it is compiled for AVX2, which torch runs on
// newer processors too: Welford's update in 8 lanes, blocks of 16 steps merged in pairs.
//
// Thread: pure functions.
#pragma once

#include <cstdint>

namespace gb::ops {

struct RowMoments {
    float mean = 0;
    float variance = 0; ///< biased
};

/// Precondition: count > 0.
RowMoments rowMoments(const float* values, std::int64_t count);

} // namespace gb::ops
