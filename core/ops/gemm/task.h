// The parts that a product is cut into. Not for use outside the product.
//
// Thread: a task is run by one thread.
#pragma once

#include "ops/gemm/gemm.h"

#include <algorithm>
#include <array>

namespace gb::ops {

/// A part of C that one thread computes; of a standing right factor, columns are the factor's.
struct Task {
    const Product* product;
    std::int64_t row;
    std::int64_t rows;
    std::int64_t col;
    std::int64_t cols;
};

/// Calls tile(row, col, panel of the left factor) for each tile of a task, rows and columns counted from the task's
/// first, in the order that suits how the left factor is packed. `buffer` has room for a panel.
template <class Tile>
void forEachTile(const MicroKernel& kernel, const Task& task, std::int64_t k, std::int64_t depth, float* buffer,
                 const Tile& tile)
{
    const LeftFactor& left = *task.product->left;
    if (left.packing() == LeftFactor::Packing::Ahead) {
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            for (std::int64_t row = 0; row < task.rows; row += kernel.rows)
                tile(row, col, left.panel(task.row + row, k, depth, buffer));
        return;
    }
    for (std::int64_t row = 0; row < task.rows; row += kernel.rows) {
        const float* panel = left.panel(task.row + row, k, depth, buffer);
        if (row + kernel.rows < task.rows)
            left.announce(task.row + row + kernel.rows, k, depth);
        else if (k + depth < left.depth())
            left.announce(task.row, k + depth, std::min(depth, left.depth() - k - depth));
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            tile(row, col, panel);
    }
}

/// What the sums of a tile's rows (counted in C) start from: the bias, in `buffer`, or null for zero.
const float* startOfSums(const Product& product, std::int64_t row, std::int64_t rows, std::int64_t k,
                         std::array<float, kMaxTileRows>& buffer);

/// Runs a task of a product with a standing right factor; `block`: terms of a sum that is added to those before it.
void runStanding(const base::Work& work, const MicroKernel& kernel, const Task& task, std::int64_t block);

} // namespace gb::ops
