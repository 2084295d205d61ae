// Smallest and largest element of a tensor, for what the recording says an observer saw.
//
// Thread: pure functions.
#pragma once

#include "ir/tensor.h"

namespace gb::engine {

struct ValueRange {
    double low = 0.0; ///< of the finite elements; low > high where there are none
    double high = -1.0;
    std::int64_t nonFinite = 0; ///< NaN and infinite elements
    /// The range of both.
    void unite(const ValueRange& other);
};

ValueRange rangeOf(const ir::Tensor& tensor);

} // namespace gb::engine
