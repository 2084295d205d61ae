#include "ops/scale_rows.h"

#include "ops/checks.h"
#include "ops/strided.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gb::ops {
namespace {

void scaleRow(const float* x, float* o, std::int64_t count, float factor)
{
    std::int64_t i = 0;
#if defined(__SSE__)
    constexpr std::int64_t kLanes = 4;
    for (; i < count && reinterpret_cast<std::uintptr_t>(o + i) % (kLanes * sizeof(float)) != 0; ++i)
        o[i] = x[i] * factor;
    const __m128 factors = _mm_set1_ps(factor);
    for (; i + kLanes <= count; i += kLanes)
        _mm_stream_ps(o + i, _mm_mul_ps(_mm_loadu_ps(x + i), factors));
#endif
    for (; i < count; ++i)
        o[i] = x[i] * factor;
}

/// Makes what was written past the caches seen by other threads.
void endOfStream()
{
#if defined(__SSE__)
    _mm_sfence();
#endif
}

} // namespace

base::Result<std::optional<ir::Tensor>> scaleRows(const Context& context, const ir::Tensor& x,
                                                  const ir::Tensor& factors)
{
    using ir::DType;
    const bool suits = x.dtype() == DType::Float32 && factors.dtype() == DType::Float32 && x.dim() > 0
                       && factors.dim() == 1 && factors.size(0) == x.size(0) && x.isContiguous()
                       && factors.isContiguous() && x.elementCount() > 0;
    if (!suits)
        return std::optional<ir::Tensor>();
    GB_ASSIGN(ir::Tensor out, makeTensor(DType::Float32, x.shape()));
    auto* to = out.mutableData<float>();
    const auto* from = x.data<float>();
    const auto* factor = factors.data<float>();
    const std::int64_t length = x.elementCount() / x.size(0);
    const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / length);
    context.forEachChunk(x.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            scaleRow(from + row * length, to + row * length, length, factor[row]);
        endOfStream();
    });
    return std::optional<ir::Tensor>(std::move(out));
}

} // namespace gb::ops
