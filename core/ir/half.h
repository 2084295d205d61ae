// float16 and bfloat16 bit patterns to float32 and back, rounding to the nearest even value as torch does.
//
// Thread: pure functions.
#pragma once

#include <bit>
#include <cstdint>

namespace gb::ir {

inline float bfloat16ToFloat(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t floatToBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (value != value)
        return 0x7FC0;
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

float halfToFloat(std::uint16_t bits);
std::uint16_t floatToHalf(float value);

} // namespace gb::ir
