// The two loops over every value that is calibrated: smallest and largest, and the histogram slot of each.
//
// Where the processor has wider registers the same loops run in them; each result is the same to the last bit.
//
// Thread: pure functions.
#pragma once

#include <cstdint>
#include <limits>

namespace gb::quant {

/// The smallest and largest of the values so far; NaN are only told.
struct Extremes {
    float min = std::numeric_limits<float>::infinity();
    float max = -std::numeric_limits<float>::infinity();
    bool hasNaN = false;
};

/// Takes in `count` neighbouring values.
void widen(Extremes& into, const float* values, std::int64_t count);
void widen(Extremes& into, const Extremes& other);

/// How torch.histc finds a value's bin: trunc((value - left) * bins / width), each step rounded (histogram_s3).
template <class Real>
struct BinRule {
    Real left = 0;
    Real right = 0;
    Real width = 0; ///< right - left
    Real bins = 0;
    std::int32_t last = 0; ///< bins - 1; last + 1 is the slot of what is not counted
};

/// round: to the precision of the values' type.
template <class Real, class Round>
inline __attribute__((always_inline)) std::int32_t slotOf(Real value, const BinRule<Real>& rule, const Round& round)
{
    const Real at = round(round(round(value - rule.left) * rule.bins) / rule.width);
    // an overflow is converted to the smallest int64 there, whose byte offset wraps around to bin 0
    const std::int32_t beyond = at - at == 0 ? rule.last : 0;
    const bool within = at < rule.bins;
    const std::int32_t slot = within ? static_cast<std::int32_t>(within ? at : Real(0)) : beyond;
    return value >= rule.left && value <= rule.right ? slot : rule.last + 1;
}

/// slotOf each of `count` neighbouring float32 values.
void findSlots(const float* values, std::int64_t count, const BinRule<float>& rule, std::int32_t* slots);

} // namespace gb::quant
