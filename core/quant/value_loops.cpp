#include "quant/value_loops.h"

#include "base/processor.h"
#include "quant/registers.h"

namespace gb::quant {
namespace {

GB_QUANT_INLINE void takeOne(Extremes& into, float value)
{
    into.min = value < into.min ? value : into.min;
    into.max = value > into.max ? value : into.max;
    into.hasNaN |= value != value;
}

/// Several registers at once: NaN compares false and is told apart.
template <class Register>
GB_QUANT_INLINE void widenBy(Extremes& into, const float* values, std::int64_t count)
{
    using Floats = typename Register::Floats;
    using Ints = typename Register::Ints;
    constexpr int lanes = Register::lanes;
    constexpr int registers = 4;
    constexpr std::int64_t step = registers * lanes;
    std::int64_t i = 0;
    if (count >= step) {
        Floats min[registers];
        Floats max[registers];
        Ints nan[registers] = {};
        for (int r = 0; r < registers; ++r) {
            min[r] = Floats{} + into.min;
            max[r] = Floats{} + into.max;
        }
        for (; i + step <= count; i += step) {
#pragma GCC unroll 4
            for (int r = 0; r < registers; ++r) {
                const Floats value = *reinterpret_cast<const Floats*>(values + i + r * lanes);
                min[r] = value < min[r] ? value : min[r];
                max[r] = value > max[r] ? value : max[r];
                nan[r] |= value != value;
            }
        }
        for (int r = 0; r < registers; ++r)
            for (int lane = 0; lane < lanes; ++lane) {
                takeOne(into, min[r][lane]);
                takeOne(into, max[r][lane]);
                into.hasNaN |= nan[r][lane] != 0;
            }
    }
    for (; i < count; ++i)
        takeOne(into, values[i]);
}

/// slotOf in registers, with masks for its branches.
template <class Register>
GB_QUANT_INLINE void slotsBy(const float* values, std::int64_t count, const BinRule<float>& given, std::int32_t* slots)
{
    using Floats = typename Register::Floats;
    using Ints = typename Register::Ints;
    const BinRule<float> rule = given; // of no one that slots could overlap
    const Floats zero{};
    const Ints last = Ints{} + rule.last;
    std::int64_t i = 0;
    for (; i + Register::lanes <= count; i += Register::lanes) {
        const Floats value = *reinterpret_cast<const Floats*>(values + i);
        const Floats at = (value - rule.left) * rule.bins / rule.width;
        const Ints beyond = (at - at == zero) & last;
        const Ints within = at < rule.bins;
        const Ints slot = within ? __builtin_convertvector(within ? at : zero, Ints) : beyond;
        const Ints counted = (value >= rule.left) & (value <= rule.right);
        *reinterpret_cast<Ints*>(slots + i) = counted ? slot : last + 1;
    }
    for (; i < count; ++i)
        slots[i] = slotOf(values[i], rule, [](float exact) { return exact; });
}

GB_QUANT_EIGHT void widenByEight(Extremes& into, const float* values, std::int64_t count)
{
    widenBy<Eight>(into, values, count);
}

GB_QUANT_EIGHT void slotsByEight(const float* values, std::int64_t count, const BinRule<float>& rule,
                                 std::int32_t* slots)
{
    slotsBy<Eight>(values, count, rule, slots);
}

} // namespace

void widen(Extremes& into, const float* values, std::int64_t count)
{
    if (base::hasAvx2AndFma())
        widenByEight(into, values, count);
    else
        widenBy<Four>(into, values, count);
}

void widen(Extremes& into, const Extremes& other)
{
    into.min = other.min < into.min ? other.min : into.min;
    into.max = other.max > into.max ? other.max : into.max;
    into.hasNaN |= other.hasNaN;
}

void findSlots(const float* values, std::int64_t count, const BinRule<float>& rule, std::int32_t* slots)
{
    if (base::hasAvx2AndFma())
        slotsByEight(values, count, rule, slots);
    else
        slotsBy<Four>(values, count, rule, slots);
}

} // namespace gb::quant
