#include "ops/kernels/quantize_row.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gb::ops {
namespace {

/// Half to the even integer in two additions that vectorise everywhere: exact up to 2^22, and beyond that still beyond
/// it, where a zero point under 2^20 cannot bring it back into a range of 16 bits.
float roundNear(float x)
{
    constexpr float kShift = 12582912.0F; // 1.5 * 2^23: above it, a float has no fraction left
    return (x + kShift) - kShift;
}

template <class To>
void plainRow(const float* __restrict x, To* __restrict o, std::int64_t count, const RowQParams& q)
{
    for (std::int64_t i = 0; i < count; ++i) {
        const float moved = roundNear(x[i] * q.inverse) + q.zero;
        const float raised = moved < q.low ? q.low : moved;
        const float lowered = raised > q.high ? q.high : raised;
        o[i] = static_cast<To>(static_cast<std::int32_t>(lowered == lowered ? lowered : 0.0F));
    }
}

#if defined(__x86_64__)
/// Eight elements as int32. Clamped before the zero point is added, so that the conversion itself can round.
struct Eight {
    __m256 inverse;
    __m256 low;
    __m256 high;
    __m256i zero;

    [[gnu::target("avx2")]] explicit Eight(const RowQParams& q)
        : inverse(_mm256_set1_ps(q.inverse))
        , low(_mm256_set1_ps(q.low - q.zero))
        , high(_mm256_set1_ps(q.high - q.zero))
        , zero(_mm256_set1_epi32(static_cast<int>(q.zero)))
    {
    }
    [[gnu::target("avx2")]] __m256i at(const float* x) const
    {
        const __m256 product = _mm256_mul_ps(_mm256_loadu_ps(x), inverse);
        const __m256i isNumber = _mm256_castps_si256(_mm256_cmp_ps(product, product, _CMP_ORD_Q));
        const __m256 clamped = _mm256_min_ps(_mm256_max_ps(product, low), high);
        return _mm256_and_si256(_mm256_add_epi32(_mm256_cvtps_epi32(clamped), zero), isNumber);
    }
};

/// As many elements as fill whole registers; returns how many.
template <class To>
[[gnu::target("avx2")]] std::int64_t wideRow(const float* x, To* o, std::int64_t count, const RowQParams& q)
{
    constexpr std::int64_t kStep = 32;
    const Eight eight(q);
    // packs works on halves of a register: this puts groups of four back in order
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const __m256i first = _mm256_packs_epi32(eight.at(x + i), eight.at(x + i + 8));
        const __m256i second = _mm256_packs_epi32(eight.at(x + i + 16), eight.at(x + i + 24));
        const __m256i bytes =
            std::is_signed_v<To> ? _mm256_packs_epi16(first, second) : _mm256_packus_epi16(first, second);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(o + i), _mm256_permutevar8x32_epi32(bytes, order));
    }
    return i;
}
#endif

template <class To>
void byteRow(const float* x, To* o, std::int64_t count, const RowQParams& q)
{
    std::int64_t done = 0;
#if defined(__x86_64__)
    static const bool kAvx2 = __builtin_cpu_supports("avx2");
    if (kAvx2 && q.zero == std::trunc(q.zero))
        done = wideRow(x, o, count, q);
#endif
    plainRow(x + done, o + done, count - done, q);
}

} // namespace

void quantizeRow(const float* x, std::int8_t* o, std::int64_t count, const RowQParams& qparams)
{
    byteRow(x, o, count, qparams);
}

void quantizeRow(const float* x, std::uint8_t* o, std::int64_t count, const RowQParams& qparams)
{
    byteRow(x, o, count, qparams);
}

void quantizeRow(const float* x, std::int16_t* o, std::int64_t count, const RowQParams& qparams)
{
    plainRow(x, o, count, qparams);
}

void quantizeRow(const float* x, std::uint16_t* o, std::int64_t count, const RowQParams& qparams)
{
    plainRow(x, o, count, qparams);
}

} // namespace gb::ops
