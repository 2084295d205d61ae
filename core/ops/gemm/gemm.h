// The float32 matrix product.
//
// Source: the scheme of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008): both factors
// are packed into panels that the innermost loop reads in order. The right one is packed by a function, or read where
// it stands, so that a convolution never builds its im2col matrix.
//
// The sum over k runs in blocks of fixed lengths in a fixed order: a result does not depend on the number of threads.
// Where a product does not ask for another length, the blocks are those of the library that torch uses, which makes
// most products equal to torch's to the last bit.
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

inline std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/// A matrix in memory; strides and columns in elements.
struct MatrixView {
    const float* data = nullptr;
    std::int64_t rowStride = 0;
    std::int64_t colStride = 0;
    /// Of a left factor: where each column stands in a row, no two at one place, not colStride apart.
    const std::int64_t* columns = nullptr;
};

/// The left factor, m x k, read in panels of MicroKernel::rows.
class LeftFactor {
public:
    /// Ahead: packed once, for products with many columns. InTask: each task packs the panels that it reads, which
    /// keeps a factor that is read once or twice (the weights of a late convolution) from going through memory again.
    enum class Packing : std::uint8_t { Ahead, InTask };

    /// `a` and its columns must outlive it when it is packed in tasks. packed: now, for both; `packing` is then the
    /// order alone in which the tasks read it.
    LeftFactor(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t k, MatrixView a,
               Packing packing, bool packed = false);

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t depth() const { return m_depth; }
    [[nodiscard]] Packing packing() const { return m_packing; }
    /// Of what it holds itself.
    [[nodiscard]] std::size_t bytes() const
    {
        return m_data.size() * sizeof(float) + m_places.size() * sizeof(std::int64_t);
    }
    /// Columns [k, k + depth) of the panel that begins at `row`; `buffer` has room for MicroKernel::rows * depth floats
    /// and is where it is packed when it was not ahead.
    const float* panel(std::int64_t row, std::int64_t k, std::int64_t depth, float* buffer) const;
    /// Has the memory that a later panel() with Packing::InTask reads brought near in the meantime.
    void announce(std::int64_t row, std::int64_t k, std::int64_t depth) const;

private:
    void pack(std::int64_t row, std::int64_t k, std::int64_t depth, float* to) const;
    [[nodiscard]] bool fillsPlaces(std::int64_t k, std::int64_t depth) const;

    std::int64_t m_rows;
    std::int64_t m_depth;
    std::int64_t m_tileRows;
    MatrixView m_matrix;
    Packing m_packing;
    std::vector<std::int64_t> m_places; ///< of each column in a row: its k; empty where they are not those of 0..k - 1
    std::vector<float> m_data;          ///< what is packed ahead; empty: nothing is
};

/// Writes columns [col, col + cols) of rows [k, k + depth) of the right factor to `to`, `width` floats a row; what lies
/// beyond `cols` is filled with zeros.
using PackRight = std::function<void(std::int64_t k, std::int64_t depth, std::int64_t col, std::int64_t cols,
                                     std::int64_t width, float* to)>;

/// Neighbouring columns of a standing factor that are wanted, and where they stand in C.
struct ColumnRun {
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t to = 0;
};

/// A right factor that is read where it stands, without packing: column j of row k is data[rows[k] + j]. Of its
/// columns only those of the runs (in order) are wanted. Rows can be read for kMaxTileCols floats behind the last one.
struct StandingRight {
    const float* data = nullptr;
    std::vector<std::int64_t> rows;
    std::vector<ColumnRun> runs;

    [[nodiscard]] std::int64_t columns() const { return runs.empty() ? 0 : runs.back().first + runs.back().count; }
};

/// One product of several that share the context's threads: C (row stride ldc, contiguous columns) = left x right.
struct Product {
    const LeftFactor* left = nullptr;
    PackRight right;
    std::int64_t cols = 0;
    float* c = nullptr;
    std::int64_t ldc = 0;
    /// The sum over so many k is complete before it is added to that of the k before; 0: as torch's own product.
    std::int64_t depthBlock = 0;
    bool accumulate = false; ///< C holds what the product is added to, before its first block
    /// One value a row that is added to the result; null: none.
    const float* bias = nullptr;
    /// The sum starts from the bias; else it is added behind the first block.
    bool biasFirst = false;
    const StandingRight* standing = nullptr; ///< instead of `right`; `cols` is its columns(); without `accumulate`
};

void multiply(const Context& context, const MicroKernel& kernel, const std::vector<Product>& products);

/// What suits a left factor that is used for this many columns.
LeftFactor::Packing packingFor(std::int64_t cols);

/// PackRight for a matrix in memory.
PackRight packMatrix(MatrixView b);

/// C (m x n, contiguous rows of n) = or += A x B; small m without packing.
void multiply(const Context& context, std::int64_t m, std::int64_t n, std::int64_t k, MatrixView a, MatrixView b,
              float* c, bool accumulate = false);

} // namespace gb::ops
