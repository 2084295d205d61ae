// The columns of a convolution's im2col matrix, made a panel at a time while the product packs its right factor.
//
// Thread: pure; one packer may be called by several threads.
#pragma once

#include "ops/gemm/gemm.h"
#include "ops/kernels/conv_geometry.h"

#include <memory>
#include <vector>

namespace gb::ops {

/// One row of the matrix: a channel, and where a column with index (0, 0, 0) reads in it. It may lie outside.
struct Tap {
    std::int64_t channel = 0; ///< elements from the first channel
    Triple at{0, 0, 0};
};

/// Column (z, y, x) of the grid reads at tap.at + (z, y, x) * step; outside the input there are zeros.
struct PatchGrid {
    std::vector<Tap> taps; ///< in the order of k
    Triple input{1, 1, 1};
    Triple grid{1, 1, 1};
    Triple step{1, 1, 1};

    [[nodiscard]] std::int64_t columns() const { return grid[0] * grid[1] * grid[2]; }
};

/// to[i] = in[x0 + i * stride] for i in [0, count), zeros outside [0, width).
void copyStretch(const float* in, std::int64_t x0, std::int64_t stride, std::int64_t width, std::int64_t count,
                 float* to);

/// One tap for each channel in order, and columns that are simply the input.
bool isPointwise(const PatchGrid& patches);

/// The right factor [taps, columns] of one image's group; `input` is its first channel.
PackRight packPatches(std::shared_ptr<const PatchGrid> patches, const float* input);

} // namespace gb::ops
