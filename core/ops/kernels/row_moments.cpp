#include "ops/kernels/row_moments.h"
#include "base/processor.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gb::ops {
namespace {

constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kSteps = 16; ///< of a block

/// What a number of values in each lane amount to.
struct Lanes {
    std::int64_t count = 0; ///< a lane
    std::array<float, kLanes> mean{};
    std::array<float, kLanes> squares{}; ///< of distances from the mean, summed
};

/// Takes `from` into `into`. Each product and sum is rounded as torch's own is.
[[gnu::always_inline]] inline void merge(Lanes& into, const Lanes& from)
{
    const std::int64_t count = into.count + from.count;
    const float share = count == 0 ? 0.0F : static_cast<float>(from.count) / static_cast<float>(count);
    const auto before = static_cast<float>(into.count);
    for (std::size_t i = 0; i < kLanes; ++i) {
        const float distance = from.mean[i] - into.mean[i];
        const float step = share * distance;
        into.squares[i] = __builtin_fmaf(distance * before, step, into.squares[i] + from.squares[i]);
        into.mean[i] += step;
    }
    into.count = count;
}

[[gnu::always_inline]] inline Lanes blockOf(const float* values, std::int64_t steps)
{
    Lanes lanes;
    lanes.count = steps;
    for (std::int64_t step = 0; step < steps; ++step) {
        const float share = 1.0F / static_cast<float>(step + 1);
        for (std::size_t i = 0; i < kLanes; ++i) {
            const float value = values[step * kLanes + static_cast<std::int64_t>(i)];
            const float distance = value - lanes.mean[i];
            lanes.mean[i] = __builtin_fmaf(distance, share, lanes.mean[i]);
            lanes.squares[i] = __builtin_fmaf(distance, value - lanes.mean[i], lanes.squares[i]);
        }
    }
    return lanes;
}

/// All whole steps of a row: blocks merged as a binary counter carries, as deep as their number needs.
[[gnu::always_inline]] inline Lanes lanesOf(const float* values, std::int64_t steps)
{
    const std::int64_t blocks = (steps + kSteps - 1) / kSteps;
    const std::size_t depth =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(blocks) - 1)));
    std::array<Lanes, 64> stack;
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t done = block * kSteps;
        merge(stack[0], blockOf(values + done * kLanes, std::min(kSteps, steps - done)));
        auto carries = static_cast<std::uint64_t>(block) + 1;
        for (std::size_t i = 1; i < depth && (carries & 1U) == 0; ++i, carries >>= 1U) {
            merge(stack[i], stack[i - 1]);
            stack[i - 1] = {};
        }
    }
    for (std::size_t i = 1; i < depth; ++i)
        merge(stack[0], stack[i]);
    return stack[0];
}

[[gnu::always_inline]] inline RowMoments moments(const float* values, std::int64_t count)
{
    const std::int64_t steps = count / kLanes;
    const Lanes lanes = steps > 0 ? lanesOf(values, steps) : Lanes{};
    float mean = 0;
    float squares = 0;
    float seen = 0;
    for (std::int64_t i = steps * kLanes; i < count; ++i) { // the values after the last whole step come first
        const float distance = values[i] - mean;
        seen += 1.0F;
        mean += distance / seen;
        squares = __builtin_fmaf(distance, values[i] - mean, squares);
    }
    for (std::size_t i = 0; steps > 0 && i < kLanes; ++i) {
        const float before = seen;
        seen += static_cast<float>(steps);
        const float share = static_cast<float>(steps) / seen;
        const float distance = lanes.mean[i] - mean;
        squares += __builtin_fmaf(distance * distance * share, before, lanes.squares[i]);
        mean = __builtin_fmaf(share, distance, mean);
    }
    return {mean, squares / static_cast<float>(count)};
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] RowMoments momentsAvx2(const float* values, std::int64_t count)
{
    return moments(values, count);
}
#endif

} // namespace

RowMoments rowMoments(const float* values, std::int64_t count)
{
#if defined(__x86_64__)
    if (base::hasAvx2AndFma())
        return momentsAvx2(values, count);
#endif
    return moments(values, count);
}

} // namespace gb::ops
