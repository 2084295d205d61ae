#include "ops/gemm/gemm.h"

#include <algorithm>

namespace gb::ops {
namespace {

constexpr std::int64_t kColBlock = 256; ///< columns of one packed block: the block stays in the second level
constexpr std::int64_t kRowBlock = 192; ///< rows of one task when there are few columns

std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

std::vector<std::int64_t> evenColumns(std::int64_t count, std::int64_t stride)
{
    std::vector<std::int64_t> out(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k)
        out[static_cast<std::size_t>(k)] = k * stride;
    return out;
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
    float start[kMaxTileRows] = {};
    const bool startsFromBias = product.bias && product.biasFirst && k == 0;
    if (startsFromBias)
        std::copy_n(product.bias + row, rows, start);
    const float* from = startsFromBias ? start : nullptr;
    if (rows == kernel.rows && cols == kernel.cols) {
        kernel.tile(depth, left, right, c, product.ldc, k > 0, from);
        return;
    }
    float edge[kMaxTileRows * kMaxTileCols];
    kernel.tile(depth, left, right, edge, kernel.cols, false, from);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < cols; ++j) {
            float& to = c[i * product.ldc + j];
            to = k > 0 ? to + edge[i * kernel.cols + j] : edge[i * kernel.cols + j];
        }
}

void addBias(const Task& task)
{
    for (std::int64_t row = task.row; row < task.row + task.rows; ++row) {
        float* c = task.product->c + row * task.product->ldc + task.col;
        for (std::int64_t col = 0; col < task.cols; ++col)
            c[col] += task.product->bias[row];
    }
}

void runTask(const base::Work& work, const MicroKernel& kernel, const Task& task)
{
    const std::int64_t total = task.product->left->depth();
    const std::int64_t block = task.product->depthBlock;
    std::vector<float> packed(static_cast<std::size_t>(std::min(total, block) * roundUp(task.cols, kernel.cols)));
    for (std::int64_t k = 0; k < total && !work.cancelled(); k += block) {
        const std::int64_t depth = std::min(block, total - k);
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            task.product->right(k, depth, task.col + col, std::min(kernel.cols, task.cols - col), kernel.cols,
                                packed.data() + col * depth);
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            for (std::int64_t row = task.row; row < task.row + task.rows; row += kernel.rows)
                computeTile(kernel, task, row, task.col + col, k, depth, packed.data() + col * depth);
        if (k == 0 && task.product->bias && !task.product->biasFirst)
            addBias(task);
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
        std::fill_n(product.c + row * product.ldc, product.cols, product.bias ? product.bias[row] : 0.0F);
}

/// Products without fusing, added four by four; then the four sums.
float dotOfFours(const float* a, const float* b, std::int64_t count)
{
    float sums[4] = {};
    for (std::int64_t i = 0; i < count; ++i)
        sums[i % 4] += a[i] * b[i];
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/// True where the library that torch multiplies with adds as dotOfFours does (measured with torch 2.14.1).
bool addsByFours(std::int64_t m, std::int64_t n, std::int64_t k)
{
    return m > 1 && k <= 16 && k % 4 == 0 && (m < 4 || n < 12);
}

/// Few rows: packing the right factor would cost as much as the product.
void multiplyRows(const Context& context, float (*dot)(const float*, const float*, std::int64_t), std::int64_t m,
                  std::int64_t n, std::int64_t k, MatrixView a, MatrixView b, float* c)
{
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, k * m));
    context.forEachChunk(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j)
            for (std::int64_t i = 0; i < m; ++i)
                c[i * n + j] = dot(a.data + i * a.rowStride, b.data + j * b.colStride, k);
    });
}

} // namespace

PackedLeft::PackedLeft(const Context& context, const MicroKernel& kernel, std::int64_t m, const float* a,
                       std::int64_t rowStride, std::span<const std::int64_t> columns)
    : m_rows(m)
    , m_depth(static_cast<std::int64_t>(columns.size()))
    , m_tileRows(kernel.rows)
    , m_data(static_cast<std::size_t>(roundUp(m, kernel.rows)) * columns.size())
{
    const std::int64_t panels = roundUp(m, m_tileRows) / m_tileRows;
    context.forEachChunk(panels, 4, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) {
            float* to = m_data.data() + p * m_depth * m_tileRows;
            const std::int64_t rows = std::min(m_tileRows, m - p * m_tileRows);
            for (std::int64_t i = 0; i < rows; ++i) {
                const float* from = a + (p * m_tileRows + i) * rowStride;
                for (std::int64_t k = 0; k < m_depth; ++k)
                    to[k * m_tileRows + i] = from[columns[static_cast<std::size_t>(k)]];
            }
        }
    });
}

PackedLeft::PackedLeft(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t k, MatrixView a)
    : PackedLeft(context, kernel, m, a.data, a.rowStride, evenColumns(k, a.colStride))
{
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
        if (product.left->depth() == 0)
            zeroResult(product);
        addTasks(kernel, product, columnTasks < 8, tasks);
    }
    context.forEachChunk(static_cast<std::int64_t>(tasks.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            runTask(context.work, kernel, tasks[static_cast<std::size_t>(i)]);
    });
}

void multiply(const Context& context, std::int64_t m, std::int64_t n, std::int64_t k, MatrixView a, MatrixView b,
              float* c)
{
    const MicroKernel& kernel = bestMicroKernel();
    const bool byFours = addsByFours(m, n, k);
    if ((m <= 4 || byFours) && a.colStride == 1 && b.rowStride == 1) {
        multiplyRows(context, byFours ? dotOfFours : kernel.dot, m, n, k, a, b, c);
        return;
    }
    const PackedLeft left(context, kernel, m, k, a);
    multiply(context, kernel, {{&left, packMatrix(b), n, c, n}});
}

} // namespace gb::ops
