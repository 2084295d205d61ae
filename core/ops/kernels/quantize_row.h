// The innermost loop of quantize ops: one row of float32 in one channel to 8 or 16 bits.
//
// Source: torch/ao/quantization/fx/_decomposed.py: x * inverse, rounded to the nearest even integer, plus the zero
// point, clamped. NaN becomes 0, as the processor's own conversion to an integer has it.
//
// Thread: pure functions. Compiled for the baseline and AVX2, picked from what the processor has.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace gb::ops {

/// What every element of a row shares. low and high are integers.
struct RowQParams {
    float inverse = 1; ///< 1 / scale
    float zero = 0;
    float low = 0;
    float high = 0;
};

/// The types that quantizeRow is for.
template <class To>
constexpr bool kHasQuantizeRow = std::is_integral_v<To> && !std::is_same_v<To, bool> && sizeof(To) <= 2;

/// True where quantizeRow may be called: beyond it, its rounding could be seen.
inline bool roundsNear(float zero)
{
    constexpr float kFarZeroPoint = 1048576.0F;
    return std::abs(zero) < kFarZeroPoint;
}

/// Precondition: roundsNear(qparams.zero).
void quantizeRow(const float* x, std::int8_t* o, std::int64_t count, const RowQParams& qparams);
void quantizeRow(const float* x, std::uint8_t* o, std::int64_t count, const RowQParams& qparams);
void quantizeRow(const float* x, std::int16_t* o, std::int64_t count, const RowQParams& qparams);
void quantizeRow(const float* x, std::uint16_t* o, std::int64_t count, const RowQParams& qparams);

} // namespace gb::ops
