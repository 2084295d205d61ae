#include "ir/half.h"

#include <cmath>

namespace gb::ir {

float halfToFloat(std::uint16_t bits)
{
    const float sign = (bits & 0x8000) ? -1.0F : 1.0F;
    const int exponent = (bits >> 10) & 0x1F;
    const int fraction = bits & 0x3FF;
    if (exponent == 31)
        return fraction ? std::bit_cast<float>(0x7FC00000U) : sign * HUGE_VALF;
    if (exponent == 0)
        return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

std::uint16_t floatToHalf(float value)
{
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    if (value != value)
        return 0x7E00;
    const float magnitude = std::fabs(value);
    if (magnitude == 0.0F)
        return sign;
    if (magnitude >= 65520.0F)
        return static_cast<std::uint16_t>(sign | 0x7C00);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    // the spacing of half values at this size; subnormals share the smallest
    const int step = exponent - 11 < -24 ? -24 : exponent - 11;
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -step)));
    return static_cast<std::uint16_t>(sign + (step == -24 ? units : (step + 24) * 1024 + units));
}

} // namespace gb::ir
