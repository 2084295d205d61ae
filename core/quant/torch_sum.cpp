#include "quant/torch_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace gb::quant {
namespace {

constexpr std::size_t kLanes = 8;  // Vectorized<float>::size()
constexpr std::size_t kRows = 4;   // ilp_factor
constexpr std::size_t kLevels = 4; // num_levels

/// Partial sums of kRows rows of `Width` lanes: what multi_row_sum returns, and its accumulators.
template <std::size_t Width>
using Rows = std::array<float, kRows * Width>;

template <std::size_t N>
void add(std::array<float, N>& to, const float* from)
{
    for (std::size_t i = 0; i < N; ++i)
        to[i] += from[i];
}

std::size_t ceilLog2(std::size_t x)
{
    return x <= 2 ? 1 : static_cast<std::size_t>(std::bit_width(x - 1));
}

/// multi_row_sum over `count` steps of kRows * Width neighbouring values.
template <std::size_t Width>
Rows<Width> multiRowSum(const float* values, std::size_t count)
{
    constexpr std::size_t step = kRows * Width;
    const std::size_t power = std::max<std::size_t>(4, ceilLog2(count) / kLevels);
    const std::size_t chunk = std::size_t{1} << power;
    std::array<Rows<Width>, kLevels> sums{};
    std::size_t i = 0;
    while (i + chunk <= count) {
        for (std::size_t j = 0; j < chunk; ++j, ++i)
            add(sums[0], values + i * step);
        for (std::size_t level = 1; level < kLevels; ++level) { // sum_t2
            add(sums[level], sums[level - 1].data());
            sums[level - 1].fill(0.0F);
            if ((i & ((chunk - 1) << (level * power))) != 0)
                break;
        }
    }
    for (; i < count; ++i)
        add(sums[0], values + i * step);
    for (std::size_t level = 1; level < kLevels; ++level)
        add(sums[0], sums[level].data());
    return sums[0];
}

/// row_sum: `count` groups of Width values, each lane summed for itself.
template <std::size_t Width>
std::array<float, Width> rowSum(const float* values, std::size_t count)
{
    const Rows<Width> rows = multiRowSum<Width>(values, count / kRows);
    std::array<float, Width> sum;
    std::copy_n(rows.begin(), Width, sum.begin());
    for (std::size_t i = count / kRows * kRows; i < count; ++i)
        add(sum, values + i * Width);
    for (std::size_t row = 1; row < kRows; ++row)
        add(sum, rows.data() + row * Width);
    return sum;
}

} // namespace

float torchSum(std::span<const float> values)
{
    if (values.size() < kLanes) // sum_t1
        return rowSum<1>(values.data(), values.size())[0];
    const std::size_t groups = values.size() / kLanes;
    const std::array<float, kLanes> lanes = rowSum<kLanes>(values.data(), groups);
    float sum = 0.0F;
    for (std::size_t i = groups * kLanes; i < values.size(); ++i)
        sum += values[i];
    for (const float lane : lanes)
        sum += lane;
    return sum;
}

} // namespace gb::quant
