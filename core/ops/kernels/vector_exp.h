// e^x as torch's vectors have it.
//
// Source: SLEEF's expf with an error of at most one unit in the last place (Boost licence), which ATen's
// Vectorized<float> calls.
//
// Thread: a pure function.
#pragma once

#include <bit>

namespace gb::ops {

/// To the bit as torch on AVX-512; for loops that the compiler makes vectors of.
[[gnu::always_inline]] inline float vectorExp(float x)
{
    constexpr float kShift = 12582912.0F; // 1.5 * 2^23: adding and taking it away rounds to an integer
    const float raised = x > -200.0F ? x : -200.0F;
    const float clipped = raised < 104.0F ? raised : 104.0F;
    const float q = (clipped * 1.442695040888963407F + kShift) - kShift;
    float s = __builtin_fmaf(q, -0.693145751953125F, clipped);
    s = __builtin_fmaf(q, -1.428606765330187045e-06F, s);
    float u = 0.000198527617612853646278381F;
    u = __builtin_fmaf(u, s, 0.00139304355252534151077271F);
    u = __builtin_fmaf(u, s, 0.00833336077630519866943359F);
    u = __builtin_fmaf(u, s, 0.0416664853692054748535156F);
    u = __builtin_fmaf(u, s, 0.166666671633720397949219F);
    u = __builtin_fmaf(u, s, 0.5F);
    u = 1.0F + __builtin_fmaf(s * s, u, s);
    const int exponent = static_cast<int>(q);
    const int half = exponent / 2; // in two steps, since the power may be a subnormal number
    u = u * std::bit_cast<float>((half + 127) << 23) * std::bit_cast<float>((exponent - half + 127) << 23);
    u = x < -104.0F ? 0.0F : u;
    return x != x ? x : u;
}

} // namespace gb::ops
