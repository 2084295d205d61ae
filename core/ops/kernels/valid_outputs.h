// Which outputs of a sliding window read inside the input.
//
// Thread: pure function.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gb::ops {

/// The outputs [first, last) along one axis whose input position at * stride + start lies in [0, size).
inline std::pair<std::int64_t, std::int64_t> validOutputs(std::int64_t start, std::int64_t stride, std::int64_t size,
                                                          std::int64_t outputs)
{
    const std::int64_t first = start >= 0 ? 0 : std::min(outputs, (-start + stride - 1) / stride);
    const std::int64_t last = start >= size ? first : std::clamp((size - 1 - start) / stride + 1, first, outputs);
    return {first, last};
}

} // namespace gb::ops
