#include "ops/gemm/gemm.h"

#include "ops/gemm/task.h"
#include "ops/gemm/transpose.h"

#include <algorithm>
#include <array>

namespace gb::ops {
namespace {

constexpr std::int64_t kDepthBlock = 192; ///< k of one packed block where a product does not say otherwise
constexpr std::int64_t kColBlock = 256;   ///< columns of one packed block: the block stays in the second level
constexpr std::int64_t kFewTasks = 8;     ///< below it, tasks are made smaller, so that all threads have some
constexpr std::int64_t kRowBlock = 64;    ///< rows of one task at least: each task packs its right factor anew

/// How long the blocks of a sum over k are: what the product asks for, else 192; a sum of less than two such blocks is
/// halved (with a block of one at the end of an odd one). That is how torch's own product (MKL with AVX-512) cuts its
/// sums, so that the results are the same to the last bit.
std::int64_t depthBlock(const Product& product)
{
    const std::int64_t total = product.left->depth();
    if (product.depthBlock > 0)
        return std::min(product.depthBlock, total);
    return total > kDepthBlock && total < 2 * kDepthBlock ? total / 2 : std::min(kDepthBlock, total);
}

/// One tile; at the edges through a buffer of the full size.
void computeTile(const MicroKernel& kernel, const Task& task, std::int64_t row, std::int64_t col, std::int64_t k,
                 std::int64_t depth, const float* left, const float* right)
{
    const Product& product = *task.product;
    const std::int64_t rows = std::min(kernel.rows, task.row + task.rows - row);
    const std::int64_t cols = std::min(kernel.cols, task.col + task.cols - col);
    float* c = product.c + row * product.ldc + col;
    const bool add = k > 0 || product.accumulate;
    std::array<float, kMaxTileRows> bias{};
    const float* start = startOfSums(product, row, rows, k, bias);
    if (rows == kernel.rows && cols == kernel.cols) {
        kernel.tile(depth, left, right, c, product.ldc, add, start);
        return;
    }
    std::array<float, kMaxTileRows * kMaxTileCols> edge;
    kernel.tile(depth, left, right, edge.data(), kernel.cols, false, start);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < cols; ++j) {
            float& to = c[i * product.ldc + j];
            const float sum = edge[static_cast<std::size_t>(i * kernel.cols + j)];
            to = add ? to + sum : sum;
        }
}

/// Rows and columns [k, k + depth) of a task, with the right factor's block in the second-level cache.
/// `buffer` has room for a panel of the left factor.
void runBlock(const MicroKernel& kernel, const Task& task, std::int64_t k, std::int64_t depth, const float* right,
              float* buffer)
{
    forEachTile(kernel, task, k, depth, buffer, [&](std::int64_t row, std::int64_t col, const float* panel) {
        computeTile(kernel, task, task.row + row, task.col + col, k, depth, panel, right + col * depth);
    });
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
    const std::int64_t block = depthBlock(*task.product);
    if (task.product->standing) {
        runStanding(work, kernel, task, block);
        return;
    }
    std::vector<float> packed(static_cast<std::size_t>(block * roundUp(task.cols, kernel.cols)));
    std::vector<float> panel(static_cast<std::size_t>(block * kernel.rows));
    for (std::int64_t k = 0; k < total && !work.cancelled(); k += block) {
        const std::int64_t depth = std::min(block, total - k);
        for (std::int64_t col = 0; col < task.cols; col += kernel.cols)
            task.product->right(k, depth, task.col + col, std::min(kernel.cols, task.cols - col), kernel.cols,
                                packed.data() + col * depth);
        runBlock(kernel, task, k, depth, packed.data(), panel.data());
        if (k == 0 && task.product->bias && !task.product->biasFirst)
            addBias(task);
    }
}

/// Rows and columns of one task; `tasks` counts those that blocks of kColBlock columns would make in all.
struct Blocks {
    std::int64_t rows;
    std::int64_t cols;
};

Blocks blocksOf(const MicroKernel& kernel, const Product& product, std::int64_t tasks)
{
    const std::int64_t rows = product.left->rows();
    const std::int64_t parts = (kFewTasks + tasks - 1) / std::max<std::int64_t>(1, tasks);
    if (parts <= 1)
        return {rows, kColBlock};
    if (product.cols >= rows)
        return {rows, std::min(kColBlock, roundUp((product.cols + kFewTasks - 1) / kFewTasks, kernel.cols))};
    return {roundUp(std::max(kRowBlock, (rows + parts - 1) / parts), kernel.rows), kColBlock};
}

void addTasks(const Product& product, const Blocks& blocks, std::vector<Task>& tasks)
{
    const std::int64_t rows = product.left->rows();
    for (std::int64_t col = 0; col < product.cols; col += blocks.cols)
        for (std::int64_t row = 0; row < rows; row += blocks.rows)
            tasks.push_back(
                {&product, row, std::min(blocks.rows, rows - row), col, std::min(blocks.cols, product.cols - col)});
}

/// The inverse of a permutation of 0..count - 1; empty where it is none.
std::vector<std::int64_t> inverse(const std::int64_t* columns, std::int64_t count)
{
    std::vector<std::int64_t> out(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        if (columns[i] >= count)
            return {};
        out[static_cast<std::size_t>(columns[i])] = i;
    }
    return out;
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
                  std::int64_t n, std::int64_t k, MatrixView a, MatrixView b, float* c, bool accumulate)
{
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, k * m));
    context.forEachChunk(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j)
            for (std::int64_t i = 0; i < m; ++i) {
                const float sum = dot(a.data + i * a.rowStride, b.data + j * b.colStride, k);
                c[i * n + j] = accumulate ? c[i * n + j] + sum : sum;
            }
    });
}

} // namespace

const float* startOfSums(const Product& product, std::int64_t row, std::int64_t rows, std::int64_t k,
                         std::array<float, kMaxTileRows>& buffer)
{
    if (!product.bias || !product.biasFirst || k > 0)
        return nullptr;
    std::copy_n(product.bias + row, rows, buffer.data());
    return buffer.data();
}

LeftFactor::LeftFactor(const Context& context, const MicroKernel& kernel, std::int64_t m, std::int64_t k, MatrixView a,
                       Packing packing, bool packed)
    : m_rows(m)
    , m_depth(k)
    , m_tileRows(kernel.rows)
    , m_matrix(a)
    , m_packing(packing)
{
    if (a.columns)
        m_places = inverse(a.columns, k);
    if (packing == Packing::InTask && !packed)
        return;
    m_data.resize(static_cast<std::size_t>(roundUp(m, kernel.rows) * k));
    context.forEachChunk(roundUp(m, m_tileRows) / m_tileRows, 4, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
            pack(p * m_tileRows, 0, k, m_data.data() + p * k * m_tileRows);
    });
}

/// True where the terms [k, k + depth) stand at these places of a row, in whatever order.
bool LeftFactor::fillsPlaces(std::int64_t k, std::int64_t depth) const
{
    if (m_places.empty())
        return false;
    const auto places = std::span(m_places).subspan(static_cast<std::size_t>(k), static_cast<std::size_t>(depth));
    return std::ranges::all_of(places, [&](std::int64_t place) { return place >= k && place < k + depth; });
}

/// Rows that a panel has beyond the factor keep what they hold: their products are not read.
void LeftFactor::pack(std::int64_t row, std::int64_t k, std::int64_t depth, float* to) const
{
    const std::int64_t rows = std::min(m_tileRows, m_rows - row);
    const float* from = m_matrix.data + row * m_matrix.rowStride;
    const std::int64_t* columns = m_matrix.columns ? m_matrix.columns + k : nullptr;
    if (!columns && m_matrix.colStride == 1) {
        transposeInto(from + k, m_matrix.rowStride, rows, depth, to, m_tileRows);
        return;
    }
    if (columns && fillsPlaces(k, depth)) {
        transposeTo(m_places.data() + k, k, from + k, m_matrix.rowStride, rows, depth, to, m_tileRows);
        return;
    }
    for (std::int64_t d = 0; d < depth; ++d) {
        const std::int64_t column = columns ? columns[d] : (k + d) * m_matrix.colStride;
        for (std::int64_t r = 0; r < rows; ++r)
            to[d * m_tileRows + r] = from[r * m_matrix.rowStride + column];
    }
}

const float* LeftFactor::panel(std::int64_t row, std::int64_t k, std::int64_t depth, float* buffer) const
{
    if (!m_data.empty())
        return m_data.data() + row * m_depth + k * m_tileRows;
    if (m_rows - row < m_tileRows)
        std::fill_n(buffer, m_tileRows * depth, 0.0F);
    pack(row, k, depth, buffer);
    return buffer;
}

void LeftFactor::announce(std::int64_t row, std::int64_t k, std::int64_t depth) const
{
    constexpr std::int64_t kLine = 16; // floats
    if (!m_data.empty())
        return;
    const bool together = m_matrix.columns ? fillsPlaces(k, depth) : m_matrix.colStride == 1;
    for (std::int64_t r = row; together && r < std::min(row + m_tileRows, m_rows); ++r)
        for (std::int64_t d = 0; d < depth; d += kLine)
            __builtin_prefetch(m_matrix.data + r * m_matrix.rowStride + k + d);
}

LeftFactor::Packing packingFor(std::int64_t cols)
{
    return cols <= 2 * kColBlock ? LeftFactor::Packing::InTask : LeftFactor::Packing::Ahead;
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
        if (cols < width)
            std::fill_n(to, depth * width, 0.0F);
        if (b.rowStride == 1) {
            transposeInto(from, b.colStride, cols, depth, to, width);
            return;
        }
        for (std::int64_t i = 0; i < depth; ++i)
            for (std::int64_t j = 0; j < cols; ++j)
                to[i * width + j] = from[i * b.rowStride + j * b.colStride];
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
        addTasks(product, blocksOf(kernel, product, columnTasks), tasks);
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
    const bool byFours = addsByFours(m, n, k);
    if ((m < 4 || byFours) && a.colStride == 1 && b.rowStride == 1) {
        multiplyRows(context, byFours ? dotOfFours : kernel.dot, m, n, k, a, b, c, accumulate);
        return;
    }
    const LeftFactor left(context, kernel, m, k, a, packingFor(n));
    multiply(context, kernel, {{&left, packMatrix(b), n, c, n, 0, accumulate}});
}

} // namespace gb::ops
