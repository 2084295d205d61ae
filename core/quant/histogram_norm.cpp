#include "quant/histogram_norm.h"

#include "base/processor.h"
#include "quant/registers.h"

#include <algorithm>
#include <cmath>

namespace gb::quant {
namespace {

/// torch.div(a, b, rounding_mode="floor") for float32.
float divFloor(float a, float b)
{
    if (b == 0)
        return a / b;
    const float mod = std::fmod(a, b);
    float div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0))
        div -= 1;
    if (div == 0)
        return std::copysign(0.0F, a / b);
    const float floored = std::floor(div);
    return div - floored > 0.5F ? floored + 1 : floored;
}

template <class Number>
GB_QUANT_INLINE Number cube(Number x)
{
    return x * x * x;
}

/// _get_norm without the density.
template <class Number>
GB_QUANT_INLINE Number spread(Number begin, Number end)
{
    return (cube(end) - cube(begin)) / 3;
}

/// The norm of bins whose begin and end fall into these bins of the target. Number: float, or a register of them.
template <class Number>
GB_QUANT_INLINE Number normBetween(Number density, Number begin, Number beginBin, Number end, Number endBin,
                                   const NormTarget& target)
{
    const Number half = Number{} + target.half;
    const Number beginCenter = (beginBin + 0.5F) * target.width;
    const Number endCenter = endBin * target.width + target.half;
    Number norm = density * spread(begin - beginCenter, half);
    norm += (endBin - beginBin - 1) * (density * spread(-half, half));
    norm += density * spread(-half, end - endCenter);
    return norm;
}

float targetBin(float at, const NormTarget& target)
{
    const float bin = divFloor(at, target.width);
    return bin != bin ? bin : std::clamp(bin, 0.0F, target.last);
}

template <class Register>
GB_QUANT_INLINE typename Register::Floats plainTargetBin(typename Register::Floats at, const NormTarget& target)
{
    using Doubles = typename Register::Doubles;
    const Doubles quotient = __builtin_convertvector(at, Doubles) / static_cast<double>(target.width);
    const Doubles zero{};
    const Doubles last = zero + static_cast<double>(target.last);
    const Doubles positive = quotient < zero ? zero : quotient;
    const Doubles cut = last < positive ? last : positive;
    return __builtin_convertvector(__builtin_convertvector(cut, typename Register::Ints), typename Register::Floats);
}

template <class Register>
GB_QUANT_INLINE void plainNormsBy(const float* density, std::int64_t bins, const NormTarget& target, float* norm)
{
    using Floats = typename Register::Floats;
    using Ints = typename Register::Ints;
    Ints bin{};
    for (int lane = 0; lane < Register::lanes; ++lane)
        bin[lane] = lane - static_cast<std::int32_t>(target.start);
    std::int64_t i = 0;
    for (; i + Register::lanes <= bins; i += Register::lanes) {
        const Floats begin = __builtin_convertvector(bin, Floats) * target.binWidth;
        const Floats end = begin + target.binWidth;
        *reinterpret_cast<Floats*>(norm + i) = normBetween<Floats>(*reinterpret_cast<const Floats*>(density + i), begin,
                                                                   plainTargetBin<Register>(begin, target), end,
                                                                   plainTargetBin<Register>(end, target), target);
        bin += Register::lanes;
    }
    for (; i < bins; ++i)
        norm[i] = binNorm(density[i], i, target);
}

GB_QUANT_EIGHT void plainNormsByEight(const float* density, std::int64_t bins, const NormTarget& target, float* norm)
{
    plainNormsBy<Eight>(density, bins, target, norm);
}

} // namespace

float binNorm(float density, std::int64_t bin, const NormTarget& target)
{
    const float begin = static_cast<float>(bin - target.start) * target.binWidth;
    const float end = begin + target.binWidth;
    return normBetween(density, begin, targetBin(begin, target), end, targetBin(end, target), target);
}

void plainNorms(std::span<const float> density, const NormTarget& target, std::span<float> norm)
{
    const auto bins = static_cast<std::int64_t>(density.size());
    if (base::hasAvx2AndFma())
        plainNormsByEight(density.data(), bins, target, norm.data());
    else
        plainNormsBy<Four>(density.data(), bins, target, norm.data());
}

} // namespace gb::quant
