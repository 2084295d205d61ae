#include "ops/kernels/cascade_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace gb::ops {
namespace {

constexpr std::size_t kLevels = 4;
constexpr std::size_t kRows = 4;      ///< that are summed side by side
constexpr std::int64_t kVector = 8;   ///< torch has no AVX-512 here
constexpr std::int64_t kPart = 32768; ///< at::internal::GRAIN_SIZE

/// kLanes sums side by side: a vector, or one number.
template <std::size_t kLanes>
using Sum = std::array<float, kLanes>;

template <std::size_t kLanes>
void add(Sum<kLanes>& sum, const float* values)
{
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        sum[lane] += values[lane];
}

/// The base-2 logarithm, rounded up.
std::int64_t ceilLog2(std::int64_t x)
{
    return x <= 2 ? 1 : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

/// multi_row_sum: kRows sums of `size` items each, item i of row r at values + (i * kRows + r) * kLanes. Sums of so
/// many items go up a level, so that the error grows slowly.
template <std::size_t kLanes>
std::array<Sum<kLanes>, kRows> rowSums(const float* values, std::int64_t size)
{
    const std::int64_t power = std::max<std::int64_t>(4, ceilLog2(size) / static_cast<std::int64_t>(kLevels));
    const std::int64_t step = std::int64_t{1} << power;
    std::array<std::array<Sum<kLanes>, kRows>, kLevels> sums{};
    const auto addItem = [&](std::int64_t i) {
        for (std::size_t row = 0; row < kRows; ++row)
            add<kLanes>(sums[0][row], values + (static_cast<std::size_t>(i) * kRows + row) * kLanes);
    };
    std::int64_t i = 0;
    while (i + step <= size) {
        for (std::int64_t j = 0; j < step; ++j, ++i)
            addItem(i);
        for (std::size_t level = 1; level < kLevels; ++level) {
            for (std::size_t row = 0; row < kRows; ++row) {
                add<kLanes>(sums[level][row], sums[level - 1][row].data());
                sums[level - 1][row] = {};
            }
            if ((i & ((step - 1) << (static_cast<std::int64_t>(level) * power))) != 0)
                break;
        }
    }
    for (; i < size; ++i)
        addItem(i);
    for (std::size_t level = 1; level < kLevels; ++level)
        for (std::size_t row = 0; row < kRows; ++row)
            add<kLanes>(sums[0][row], sums[level][row].data());
    return sums[0];
}

/// row_sum
template <std::size_t kLanes>
Sum<kLanes> sumOfItems(const float* values, std::int64_t size)
{
    const auto inRow = static_cast<std::int64_t>(kRows);
    auto sums = rowSums<kLanes>(values, size / inRow);
    for (std::int64_t i = size / inRow * inRow; i < size; ++i)
        add<kLanes>(sums[0], values + static_cast<std::size_t>(i) * kLanes);
    for (std::size_t row = 1; row < kRows; ++row)
        add<kLanes>(sums[0], sums[row].data());
    return sums[0];
}

float sumOfRow(const float* values, std::int64_t count)
{
    if (count < kVector)
        return sumOfItems<1>(values, count)[0];
    const auto lanes = sumOfItems<kVector>(values, count / kVector);
    float sum = 0;
    for (std::int64_t i = count / kVector * kVector; i < count; ++i)
        sum += values[i];
    for (const float lane : lanes)
        sum += lane;
    return sum;
}

} // namespace

float cascadeSum(const float* values, std::int64_t count, std::int64_t rows)
{
    if (rows > 1 || count < kPart)
        return sumOfRow(values, count);
    const std::int64_t half = (count + 1) / 2;
    return sumOfRow(values, half) + sumOfRow(values + half, count - half);
}

} // namespace gb::ops
