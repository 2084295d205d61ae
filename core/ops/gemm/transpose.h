// Writes rows of one matrix as columns of another, block by block, so that neither side is walked with large steps.
//
// Thread: pure function.
#pragma once

#include <cstdint>

namespace gb::ops {

/// to[d * width + r] = from[r * rowStride + d] for r in [0, rows) and d in [0, depth). What else lies between the
/// columns of `to` is left alone.
void transposeInto(const float* from, std::int64_t rowStride, std::int64_t rows, std::int64_t depth, float* to,
                   std::int64_t width);
/// The same with column d of `from` at to[(places[d] - first) * width].
void transposeTo(const std::int64_t* places, std::int64_t first, const float* from, std::int64_t rowStride,
                 std::int64_t rows, std::int64_t depth, float* to, std::int64_t width);

} // namespace gb::ops
