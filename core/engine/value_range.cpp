#include "engine/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::engine {
namespace {

/// Branch-free, so that the compiler can do several at once: x - x is 0 but for NaN and infinite x.
ValueRange ofFloats(const float* values, std::int64_t count)
{
    constexpr float kMost = std::numeric_limits<float>::infinity();
    float low = kMost;
    float high = -kMost;
    std::int64_t nonFinite = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const float x = values[i];
        const bool finite = x - x == 0.0F;
        low = finite && x < low ? x : low;
        high = finite && x > high ? x : high;
        nonFinite += finite ? 0 : 1;
    }
    if (low > high)
        return {0.0, -1.0, nonFinite};
    return {static_cast<double>(low), static_cast<double>(high), nonFinite};
}

} // namespace

void ValueRange::unite(const ValueRange& other)
{
    nonFinite += other.nonFinite;
    if (other.low > other.high)
        return;
    const bool empty = low > high;
    low = empty ? other.low : std::min(low, other.low);
    high = empty ? other.high : std::max(high, other.high);
}

ValueRange rangeOf(const ir::Tensor& tensor)
{
    const ir::Tensor whole = tensor.contiguous();
    if (whole.dtype() == ir::DType::Float32)
        return ofFloats(whole.data<float>(), whole.elementCount());
    ValueRange out;
    for (std::int64_t i = 0; i < whole.elementCount(); ++i) {
        const double x = whole.at(i);
        out.unite(std::isfinite(x) ? ValueRange{x, x, 0} : ValueRange{0.0, -1.0, 1});
    }
    return out;
}

} // namespace gb::engine
