#include "ops/gemm/transpose.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gb::ops {
namespace {

constexpr std::int64_t kBlock = 4;

void plainBlock(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t depth, float* to,
                std::int64_t width)
{
    for (std::int64_t d = 0; d < depth; ++d)
        for (std::int64_t r = 0; r < rows; ++r)
            to[d * width + r] = from[r * rowStride + d];
}

/// kBlock rows of kBlock elements.
void block(const float* from, std::int64_t rowStride, float* to, std::int64_t width)
{
#if defined(__SSE__)
    __m128 a = _mm_loadu_ps(from);
    __m128 b = _mm_loadu_ps(from + rowStride);
    __m128 c = _mm_loadu_ps(from + 2 * rowStride);
    __m128 d = _mm_loadu_ps(from + 3 * rowStride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + width, b);
    _mm_storeu_ps(to + 2 * width, c);
    _mm_storeu_ps(to + 3 * width, d);
#else
    plainBlock(from, rowStride, kBlock, kBlock, to, width);
#endif
}

} // namespace

void transposeInto(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t depth, float* to,
                   std::int64_t width)
{
    const std::int64_t wholeRows = rows - rows % kBlock;
    const std::int64_t wholeDepth = depth - depth % kBlock;
    for (std::int64_t d = 0; d < wholeDepth; d += kBlock) {
        for (std::int64_t r = 0; r < wholeRows; r += kBlock)
            block(from + r * rowStride + d, rowStride, to + d * width + r, width);
        plainBlock(from + wholeRows * rowStride + d, rowStride, rows - wholeRows, kBlock, to + d * width + wholeRows,
                   width);
    }
    plainBlock(from + wholeDepth, rowStride, rows, depth - wholeDepth, to + wholeDepth * width, width);
}

} // namespace gb::ops
