// The float32 matrix product.
//
// Source: the scheme of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008): both factors
// are packed into panels that the innermost loop reads in order; the right one is packed by a function, so that a
// convolution never builds its im2col matrix.
//
// The sum over k runs in blocks of the length that a product asks for, in order: a result does not depend on the number
// of threads.
//
// Thread: one product at a time per context; its tiles are shared among the context's pool.
#pragma once

#include "ops/call.h"
#include "ops/gemm/micro_kernel.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gb::ops {

/// A matrix in memory; strides in elements.
struct MatrixView {
    const float* data = nullptr;
    std::int64_t rowStride = 0;
    std::int64_t colStride = 0;
};

/// k of one packed block where a product does not say otherwise: a tile's panels stay in the first-level cache.
constexpr std::int64_t kDepthBlock = 256;

/// The left factor, m x k, in panels of MicroKernel::rows.
class PackedLeft {
public:
    PackedLeft(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t k, MatrixView a);
    /// Column k of the factor stands columns[k] elements behind the start of a row.
    PackedLeft(const Context& context, const MicroKernel& kernel, std::int64_t m, const float* a,
               std::int64_t rowStride, std::span<const std::int64_t> columns);

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t depth() const { return m_depth; }
    [[nodiscard]] const float* panel(std::int64_t index, std::int64_t k) const
    {
        return m_data.data() + (index * m_depth + k) * m_tileRows;
    }

private:
    std::int64_t m_rows;
    std::int64_t m_depth;
    std::int64_t m_tileRows;
    std::vector<float> m_data;
};

/// Writes columns [col, col + cols) of rows [k, k + depth) of the right factor to `to`, `width` floats a row; what lies
/// beyond `cols` is filled with zeros.
using PackRight = std::function<void(std::int64_t k, std::int64_t depth, std::int64_t col, std::int64_t cols,
                                     std::int64_t width, float* to)>;

/// One product of several that share the context's threads: C (row stride ldc, contiguous columns) = left x right.
struct Product {
    const PackedLeft* left = nullptr;
    PackRight right;
    std::int64_t cols = 0;
    float* c = nullptr;
    std::int64_t ldc = 0;
    /// The sum over so many k is complete before it is added to that of the k before.
    std::int64_t depthBlock = kDepthBlock;
    /// One value a row that is added to the result; null: none.
    const float* bias = nullptr;
    /// The sum starts from the bias; else it is added behind the first block.
    bool biasFirst = false;
};

void multiply(const Context& context, const MicroKernel& kernel, const std::vector<Product>& products);

/// PackRight for a matrix in memory.
PackRight packMatrix(MatrixView b);

/// C (m x n, contiguous rows of n) = A x B; small m without packing.
void multiply(const Context& context, std::int64_t m, std::int64_t n, std::int64_t k, MatrixView a, MatrixView b,
              float* c);

} // namespace gb::ops
