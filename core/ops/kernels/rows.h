// A tensor seen as rows along one or more dimensions: what reductions, softmax and sorting work on.
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

namespace gb::ops {

struct Rows {
    ir::Tensor values; ///< contiguous, [..., reduced...], so that a row is `width` neighbouring elements
    std::int64_t count = 0;
    std::int64_t width = 1;
    ir::Shape kept;     ///< sizes of the other dimensions, in order
    ir::Shape withOnes; ///< the full shape with 1 for each reduced dimension

    [[nodiscard]] const ir::Shape& shape(bool keepDim) const { return keepDim ? withOnes : kept; }
};

/// Moves `dims` (wrapped, sorted) to the end and makes the tensor contiguous.
Rows rowsAlong(const ir::Tensor& x, const ir::Shape& dims);
/// The inverse for one dimension: rows of a contiguous tensor [..., width] back at their place.
ir::Tensor rowsBack(const ir::Tensor& rows, std::int64_t dim);
/// The dimensions that an argument names: absent or empty means all.
base::Result<ir::Shape> dimsArgument(const Call& call, std::size_t index, const ir::Tensor& x);

} // namespace gb::ops
