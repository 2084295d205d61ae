// Vectors of neighbouring values, four or eight at once, for the loops that calibration spends its time in.
//
// A loop is written once over a register type and compiled for both; which one runs is asked of the processor. Lane by
// lane the arithmetic is that of the scalar loop, so that both give the same bits.
//
// Thread: pure functions.
#pragma once

#include <cstdint>

namespace gb::quant {

#define GB_QUANT_INLINE inline __attribute__((always_inline))

/// What every processor of the platform has.
struct Four {
    static constexpr int lanes = 4;
    typedef float Floats __attribute__((vector_size(16), aligned(4), may_alias));
    typedef std::int32_t Ints __attribute__((vector_size(16), aligned(4), may_alias));
    typedef double Doubles __attribute__((vector_size(32)));
};

struct Eight {
    static constexpr int lanes = 8;
    typedef float Floats __attribute__((vector_size(32), aligned(4), may_alias));
    typedef std::int32_t Ints __attribute__((vector_size(32), aligned(4), may_alias));
    typedef double Doubles __attribute__((vector_size(64)));
};

/// Marks a function that may use registers of eight; only called where base::hasAvx2AndFma(). It does not fuse a * b +
/// c.
#if defined(__x86_64__)
#define GB_QUANT_EIGHT __attribute__((target("avx2")))
#else
#define GB_QUANT_EIGHT
#endif

} // namespace gb::quant
