// The parts that a product is cut into. Not for use outside the product.
//
// Thread: a task is run by one thread.
#pragma once

#include "ops/gemm/gemm.h"

namespace gb::ops {

/// A part of C that one thread computes; of a standing right factor, columns are the factor's.
struct Task {
    const Product* product;
    std::int64_t row;
    std::int64_t rows;
    std::int64_t col;
    std::int64_t cols;
};

/// Runs a task of a product with a standing right factor; `block`: terms of a sum that is added to those before it.
void runStanding(const base::Work& work, const MicroKernel& kernel, const Task& task, std::int64_t block);

} // namespace gb::ops
