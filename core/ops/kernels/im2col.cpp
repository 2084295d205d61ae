#include "ops/kernels/im2col.h"

#include <algorithm>
#include <cstring>

namespace gb::ops {
namespace {

/// Neighbouring columns with one output depth and height.
struct Run {
    std::int64_t start; ///< column in the panel
    std::int64_t count;
    std::int64_t depth; ///< input position, relative to a tap's
    std::int64_t height;
    std::int64_t width; ///< of the run's first column
};

std::int64_t findRuns(const PatchGrid& p, std::int64_t col, std::int64_t cols, Run* runs)
{
    std::int64_t found = 0;
    for (std::int64_t at = 0; at < cols;) {
        const std::int64_t x = (col + at) % p.grid[2];
        const std::int64_t row = (col + at) / p.grid[2];
        const std::int64_t count = std::min(cols - at, p.grid[2] - x);
        runs[found++] = {at, count, row / p.grid[1] * p.step[0], row % p.grid[1] * p.step[1], x * p.step[2]};
        at += count;
    }
    return found;
}

bool inside(std::int64_t at, std::int64_t size)
{
    return at >= 0 && at < size;
}

/// Runs are short: moves of a fixed size cost less than a call.
void copyShort(const float* from, std::int64_t count, float* to)
{
    constexpr std::int64_t kStep = 8;
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep)
        std::memcpy(to + i, from + i, kStep * sizeof(float));
    for (; i < count; ++i)
        to[i] = from[i];
}

void clearShort(std::int64_t count, float* to)
{
    for (std::int64_t i = 0; i < count; ++i)
        to[i] = 0.0F;
}

} // namespace

void copyStretch(const float* in, std::int64_t x0, std::int64_t stride, std::int64_t width, std::int64_t count,
                 float* to)
{
    if (stride == 1 && x0 >= 0 && x0 + count <= width) {
        copyShort(in + x0, count, to);
        return;
    }
    const std::int64_t first = x0 >= 0 ? 0 : std::min(count, (-x0 + stride - 1) / stride);
    const std::int64_t last = x0 >= width ? first : std::clamp((width - 1 - x0) / stride + 1, first, count);
    clearShort(first, to);
    if (stride == 1)
        copyShort(in + x0 + first, last - first, to + first);
    else
        for (std::int64_t i = first; i < last; ++i)
            to[i] = in[x0 + i * stride];
    clearShort(count - last, to + last);
}

bool isPointwise(const PatchGrid& p)
{
    const std::int64_t size = p.input[0] * p.input[1] * p.input[2];
    for (std::size_t k = 0; k < p.taps.size(); ++k)
        if (p.taps[k].at != Triple{0, 0, 0} || p.taps[k].channel != static_cast<std::int64_t>(k) * size)
            return false;
    return p.grid == p.input && p.step == Triple{1, 1, 1};
}

PackRight packPatches(std::shared_ptr<const PatchGrid> patches, const float* input)
{
    if (isPointwise(*patches))
        return packMatrix({input, patches->columns(), 1});
    return [patches = std::move(patches), input](std::int64_t k, std::int64_t depth, std::int64_t col,
                                                 std::int64_t cols, std::int64_t width, float* to) {
        const PatchGrid& p = *patches;
        Run runs[kMaxTileCols];
        const std::int64_t runCount = findRuns(p, col, cols, runs);
        for (std::int64_t i = 0; i < depth; ++i, to += width) {
            const Tap& tap = p.taps[static_cast<std::size_t>(k + i)];
            const float* channel = input + tap.channel;
            for (std::int64_t r = 0; r < runCount; ++r) {
                const Run& run = runs[r];
                const std::int64_t z = run.depth + tap.at[0];
                const std::int64_t y = run.height + tap.at[1];
                if (inside(z, p.input[0]) && inside(y, p.input[1]))
                    copyStretch(channel + (z * p.input[1] + y) * p.input[2], run.width + tap.at[2], p.step[2],
                                p.input[2], run.count, to + run.start);
                else
                    clearShort(run.count, to + run.start);
            }
            clearShort(width - cols, to + cols);
        }
    };
}

} // namespace gb::ops
