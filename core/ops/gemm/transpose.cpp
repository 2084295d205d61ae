#include "ops/gemm/transpose.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gb::ops {
namespace {

constexpr std::int64_t kBlock = 4;

/// Where column d of the one matrix begins in the other.
struct InOrder {
    std::int64_t width;

    [[nodiscard]] std::int64_t operator()(std::int64_t d) const { return d * width; }
};
struct Placed {
    const std::int64_t* places;
    std::int64_t first;
    std::int64_t width;

    [[nodiscard]] std::int64_t operator()(std::int64_t d) const { return (places[d] - first) * width; }
};

template <class Place>
void plainBlock(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t d, std::int64_t end,
                float* to, const Place& place)
{
    for (; d < end; ++d)
        for (std::int64_t r = 0; r < rows; ++r)
            to[place(d) + r] = from[r * rowStride + d];
}

/// kBlock rows of kBlock elements.
template <class Place>
void block(const float* from, std::int64_t rowStride, std::int64_t d, float* to, const Place& place)
{
#if defined(__SSE__)
    __m128 row0 = _mm_loadu_ps(from + d);
    __m128 row1 = _mm_loadu_ps(from + rowStride + d);
    __m128 row2 = _mm_loadu_ps(from + 2 * rowStride + d);
    __m128 row3 = _mm_loadu_ps(from + 3 * rowStride + d);
    _MM_TRANSPOSE4_PS(row0, row1, row2, row3);
    _mm_storeu_ps(to + place(d), row0);
    _mm_storeu_ps(to + place(d + 1), row1);
    _mm_storeu_ps(to + place(d + 2), row2);
    _mm_storeu_ps(to + place(d + 3), row3);
#else
    plainBlock(from, rowStride, kBlock, d, d + kBlock, to, place);
#endif
}

template <class Place>
void transpose(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t depth, float* to,
               const Place& place)
{
    const std::int64_t wholeRows = rows - rows % kBlock;
    const std::int64_t wholeDepth = depth - depth % kBlock;
    for (std::int64_t d = 0; d < wholeDepth; d += kBlock) {
        for (std::int64_t r = 0; r < wholeRows; r += kBlock)
            block(from + r * rowStride, rowStride, d, to + r, place);
        plainBlock(from + wholeRows * rowStride, rowStride, rows - wholeRows, d, d + kBlock, to + wholeRows, place);
    }
    plainBlock(from, rowStride, rows, wholeDepth, depth, to, place);
}

} // namespace

void transposeInto(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t depth, float* to,
                   std::int64_t width)
{
    transpose(from, rowStride, rows, depth, to, InOrder{width});
}

void transposeTo(const std::int64_t* places, std::int64_t first, const float* from, std::int64_t rowStride,
                 std::int64_t rows, std::int64_t depth, float* to, std::int64_t width)
{
    transpose(from, rowStride, rows, depth, to, Placed{places, first, width});
}

} // namespace gb::ops
