#include "ops/gemm/gemm.h"

#include <algorithm>

namespace gb::ops {
namespace {

constexpr std::int64_t kDepthBlock = 192; ///< k of one packed block: a tile's panels stay in the first-level cache
constexpr std::int64_t kColBlock = 256;   ///< columns of one packed block: the block stays in the second level
constexpr std::int64_t kRowBlock = 192;   ///< rows of one task when there are few columns

std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/// How long the blocks of a sum over k are: 192; a sum of less than two such blocks is halved (with a block of one at
/// the end of an odd one). That is how torch's own product (MKL with AVX-512) cuts its sums, so that the results are
/// the same to the last bit.
std::int64_t depthBlock(std::int64_t total)
{
    return total > kDepthBlock && total < 2 * kDepthBlock ? total / 2 : kDepthBlock;
}

/// A part of C that one thread computes.
struct Task {
    const Product* product;
    std::int64_t row;
    std::int64_t rows;
    std::int64_t col;
    std::int64_t cols;
};

/// One tile; at the edges through a buffer of the full size.
void computeTile(const MicroKernel& kernel, const Task& task, std::int64_t row, std::int64_t col, std::int64_t k,
                 std::int64_t depth, const float* right)
{
    const Product& product = *task.product;
    const std::int64_t rows = std::min(kernel.rows, task.row + task.rows - row);
    const std::int64_t cols = std::min(kernel.cols, task.col + task.cols - col);
    const float* left = product.left->panel(row / kernel.rows, k);
    float* c = product.c + row * product.ldc + col;
    const bool add = k > 0 || product.accumulate;
    if (rows == kernel.rows && cols == kernel.cols) {
        kernel.tile(depth, left, right, c, product.ldc, add);
        return;
    }
    float edge[kMaxTileRows * kMaxTileCols];
    kernel.tile(depth, left, right, edge, kernel.cols, false);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < cols; ++j) {
            float& to = c[i * product.ldc + j];
            to = add ? to + edge[i * kernel.cols + j] : edge[i * kernel.cols + j];
        }
}

void runTask(const base::Work& work, const MicroKernel& kernel, const Task& task)
{
    const std::int64_t total = task.product->left->depth();
    std::vector<float> packed(static_cast<std::size_t>(std::min(total, kDepthBlock) * roundUp(task.cols, kernel.cols)));
    for (std::int64_t k = 0, depth = 0; k < total && !work.cancelled(); k += depth) {
        depth = std::min(depthBlock(total), total - k);
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            task.product->right(k, depth, task.col + col, std::min(kernel.cols, task.cols - col), kernel.cols,
                                packed.data() + col * depth);
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            for (std::int64_t row = task.row; row < task.row + task.rows; row += kernel.rows)
                computeTile(kernel, task, row, task.col + col, k, depth, packed.data() + col * depth);
    }
}

void addTasks(const MicroKernel& kernel, const Product& product, bool splitRows, std::vector<Task>& tasks)
{
    const std::int64_t rows = product.left->rows();
    const std::int64_t rowBlock = splitRows ? roundUp(kRowBlock, kernel.rows) : rows;
    for (std::int64_t col = 0; col < product.cols; col += kColBlock)
        for (std::int64_t row = 0; row < rows; row += rowBlock)
            tasks.push_back(
                {&product, row, std::min(rowBlock, rows - row), col, std::min(kColBlock, product.cols - col)});
}

void zeroResult(const Product& product)
{
    for (std::int64_t row = 0; row < product.left->rows(); ++row)
        std::fill_n(product.c + row * product.ldc, product.cols, 0.0F);
}

/// Few rows: packing the right factor would cost as much as the product.
void multiplyRows(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t n, std::int64_t k,
                  MatrixView a, MatrixView b, float* c, bool accumulate)
{
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, k * m));
    context.forEachChunk(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j)
            for (std::int64_t i = 0; i < m; ++i) {
                const float sum = kernel.dot(a.data + i * a.rowStride, b.data + j * b.colStride, k);
                c[i * n + j] = accumulate ? c[i * n + j] + sum : sum;
            }
    });
}

} // namespace

PackedLeft::PackedLeft(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t k, MatrixView a)
    : m_rows(m)
    , m_depth(k)
    , m_tileRows(kernel.rows)
    , m_data(static_cast<std::size_t>(roundUp(m, kernel.rows) * k))
{
    const std::int64_t panels = roundUp(m, m_tileRows) / m_tileRows;
    context.forEachChunk(panels, 4, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) {
            float* to = m_data.data() + p * k * m_tileRows;
            const std::int64_t rows = std::min(m_tileRows, m - p * m_tileRows);
            for (std::int64_t i = 0; i < rows; ++i) {
                const float* from = a.data + (p * m_tileRows + i) * a.rowStride;
                for (std::int64_t kk = 0; kk < k; ++kk)
                    to[kk * m_tileRows + i] = from[kk * a.colStride];
            }
        }
    });
}

PackRight packMatrix(MatrixView b)
{
    return [b](std::int64_t k, std::int64_t depth, std::int64_t col, std::int64_t cols, std::int64_t width, float* to) {
        const float* from = b.data + k * b.rowStride + col * b.colStride;
        if (b.colStride == 1) {
            for (std::int64_t i = 0; i < depth; ++i) {
                std::copy_n(from + i * b.rowStride, cols, to + i * width);
                std::fill_n(to + i * width + cols, width - cols, 0.0F);
            }
            return;
        }
        for (std::int64_t j = 0; j < width; ++j)
            for (std::int64_t i = 0; i < depth; ++i)
                to[i * width + j] = j < cols ? from[i * b.rowStride + j * b.colStride] : 0.0F;
    };
}

void multiply(const Context& context, const MicroKernel& kernel, const std::vector<Product>& products)
{
    std::int64_t columnTasks = 0;
    for (const Product& product : products)
        columnTasks += (product.cols + kColBlock - 1) / kColBlock;
    std::vector<Task> tasks;
    for (const Product& product : products) {
        if (product.left->depth() == 0 && !product.accumulate)
            zeroResult(product);
        addTasks(kernel, product, columnTasks < 8, tasks);
    }
    context.forEachChunk(static_cast<std::int64_t>(tasks.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            runTask(context.work, kernel, tasks[static_cast<std::size_t>(i)]);
    });
}

void multiply(const Context& context, std::int64_t m, std::int64_t n, std::int64_t k, MatrixView a, MatrixView b,
              float* c, bool accumulate)
{
    const MicroKernel& kernel = bestMicroKernel();
    if (m < 4 && a.colStride == 1 && b.rowStride == 1) {
        multiplyRows(context, kernel, m, n, k, a, b, c, accumulate);
        return;
    }
    const PackedLeft left(context, kernel, m, k, a);
    multiply(context, kernel, {{&left, packMatrix(b), n, c, n, accumulate}});
}

} // namespace gb::ops
