#include "ops/kernels/im2col.h"

#include <algorithm>

namespace gb::ops {
namespace {

/// Neighbouring columns with one output depth and height.
struct Run {
    std::int64_t start; ///< column in the panel
    std::int64_t count;
    std::int64_t depth; ///< input position of the kernel's first element
    std::int64_t height;
    std::int64_t width; ///< of the run's first column
};

std::int64_t findRuns(const ConvGeometry& g, std::int64_t col, std::int64_t cols, Run* runs)
{
    std::int64_t found = 0;
    for (std::int64_t at = 0; at < cols;) {
        const std::int64_t x = (col + at) % g.output[2];
        const std::int64_t row = (col + at) / g.output[2];
        const std::int64_t count = std::min(cols - at, g.output[2] - x);
        runs[found++] = {at, count, row / g.output[1] * g.stride[0] - g.padding[0],
                         row % g.output[1] * g.stride[1] - g.padding[1], x * g.stride[2] - g.padding[2]};
        at += count;
    }
    return found;
}

bool inside(std::int64_t at, std::int64_t size)
{
    return at >= 0 && at < size;
}

/// One row of one run: in[x0 + i * stride] for i in [0, count), zeros outside [0, width).
void copyRun(const float* in, std::int64_t x0, std::int64_t stride, std::int64_t width, std::int64_t count, float* to)
{
    const std::int64_t first = x0 >= 0 ? 0 : std::min(count, (-x0 + stride - 1) / stride);
    const std::int64_t last = x0 >= width ? first : std::clamp((width - 1 - x0) / stride + 1, first, count);
    std::fill_n(to, first, 0.0F);
    if (stride == 1)
        std::copy_n(in + x0 + first, last - first, to + first);
    else
        for (std::int64_t i = first; i < last; ++i)
            to[i] = in[x0 + i * stride];
    std::fill_n(to + last, count - last, 0.0F);
}

/// A kernel of one element without steps or padding: columns are simply the input.
bool isPointwise(const ConvGeometry& g)
{
    return g.kernelSize() == 1 && g.stride == Triple{1, 1, 1} && g.padding == Triple{0, 0, 0};
}

} // namespace

PackRight packPatches(const ConvGeometry& g, const float* input, PatchOrder order)
{
    if (isPointwise(g))
        return packMatrix({input, g.inputSize(), 1});
    return [g, input, order](std::int64_t k, std::int64_t depth, std::int64_t col, std::int64_t cols,
                             std::int64_t width, float* to) {
        Run runs[kMaxTileCols];
        const std::int64_t runCount = findRuns(g, col, cols, runs);
        for (std::int64_t i = 0; i < depth; ++i, to += width) {
            const bool elementFirst = order == PatchOrder::ElementFirst;
            const std::int64_t inner = elementFirst ? g.inPerGroup() : g.kernelSize();
            const std::int64_t element = elementFirst ? (k + i) / inner : (k + i) % inner;
            const float* channel = input + (elementFirst ? (k + i) % inner : (k + i) / inner) * g.inputSize();
            const std::int64_t kx = element % g.kernel[2] * g.dilation[2];
            const std::int64_t ky = element / g.kernel[2] % g.kernel[1] * g.dilation[1];
            const std::int64_t kz = element / g.kernel[2] / g.kernel[1] * g.dilation[0];
            for (std::int64_t r = 0; r < runCount; ++r) {
                const Run& run = runs[r];
                const std::int64_t z = run.depth + kz;
                const std::int64_t y = run.height + ky;
                if (inside(z, g.input[0]) && inside(y, g.input[1]))
                    copyRun(channel + (z * g.input[1] + y) * g.input[2], run.width + kx, g.stride[2], g.input[2],
                            run.count, to + run.start);
                else
                    std::fill_n(to + run.start, run.count, 0.0F);
            }
            std::fill_n(to + cols, width - cols, 0.0F);
        }
    };
}

} // namespace gb::ops
