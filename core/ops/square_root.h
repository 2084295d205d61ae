// torch.sqrt of a float32 on an x86 processor. torch has it computed by a vector library that is not correctly rounded:
// one value in six is a neighbour of the right one. The scale factor of a QAT convolution hangs on these bits.
//
// Source: measured against torch 2.14.1 on an AMD processor (all exponents, 600,000 mantissas): one step of
// Goldschmidt's iteration from the processor's own rsqrtps, then one correction by the residual, without fused
// multiply-add. R. E. Goldschmidt, "Applications of Division by Convergence" (1964); P. Markstein, "Software Division
// and Square Root Using Goldschmidt's Algorithms" (2004).
//
// Thread: pure functions.
#pragma once

#include <cmath>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gb::ops {

inline float squareRoot(float x)
{
#if defined(__SSE__)
    if (x >= 0x1p126F && std::isnormal(x)) // its square would overflow
        return 2.0F * squareRoot(0.25F * x);
    if (x > 0 && std::isnormal(x)) {
        const float inverse = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(x)));
        const float root = x * inverse;
        const float half = 0.5F * inverse;
        const float error = 0.5F - half * root;
        const float closer = root + root * error;
        const float residual = x - closer * closer;
        return closer + residual * (half + half * error);
    }
#endif
    return std::sqrt(x);
}

} // namespace gb::ops
