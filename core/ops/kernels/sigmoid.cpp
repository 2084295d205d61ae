#include "ops/kernels/sigmoid.h"

#include "base/processor.h"
#include "ops/kernels/vector_exp.h"

namespace gb::ops {
namespace {

/// kTimesX: silu, else sigmoid.
template <bool kTimesX>
[[gnu::always_inline]] inline void row(const float* __restrict x, float* __restrict out, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = (kTimesX ? x[i] : 1.0F) / (1.0F + vectorExp(0.0F - x[i]));
}

#if defined(__x86_64__)
template <bool kTimesX>
[[gnu::target("avx2,fma")]] void rowAvx2(const float* x, float* out, std::int64_t count)
{
    row<kTimesX>(x, out, count);
}
#endif

template <bool kTimesX>
void best(const float* x, float* out, std::int64_t count)
{
#if defined(__x86_64__)
    if (base::hasAvx2AndFma())
        return rowAvx2<kTimesX>(x, out, count);
#endif
    row<kTimesX>(x, out, count);
}

} // namespace

void sigmoidRow(const float* x, float* out, std::int64_t count)
{
    best<false>(x, out, count);
}

void siluRow(const float* x, float* out, std::int64_t count)
{
    best<true>(x, out, count);
}

} // namespace gb::ops
