#include "ops/gemm/task.h"

#include <algorithm>

namespace gb::ops {
namespace {

/// A task's sums for all columns, also those that nobody wants: so every tile is whole.
class Sums {
public:
    Sums(const MicroKernel& kernel, const Task& task, std::int64_t block)
        : m_kernel(kernel)
        , m_task(task)
        , m_width(roundUp(task.cols, kernel.cols))
        , m_values(static_cast<std::size_t>(roundUp(task.rows, kernel.rows) * m_width))
        , m_panel(static_cast<std::size_t>(block * kernel.rows))
    {
    }

    void addBlock(std::int64_t k, std::int64_t depth)
    {
        forEachTile(
            m_kernel, m_task, k, depth, m_panel.data(),
            [&](std::int64_t row, std::int64_t col, const float* panel) { addTile(row, col, k, depth, panel); });
    }

    void addBias()
    {
        for (std::int64_t row = 0; row < m_task.rows; ++row) {
            const float bias = m_task.product->bias[m_task.row + row];
            float* to = m_values.data() + row * m_width;
            for (std::int64_t col = 0; col < m_width; ++col)
                to[col] += bias;
        }
    }

    void writeRuns() const
    {
        const Product& product = *m_task.product;
        const auto& runs = product.standing->runs;
        const std::int64_t end = m_task.col + m_task.cols;
        auto run = std::ranges::upper_bound(runs, m_task.col, {}, [](const ColumnRun& r) { return r.first + r.count; });
        for (; run != runs.end() && run->first < end; ++run) {
            const std::int64_t first = std::max(run->first, m_task.col);
            const std::int64_t last = std::min(run->first + run->count, end);
            const float* from = m_values.data() + first - m_task.col;
            float* to = product.c + m_task.row * product.ldc + run->to + first - run->first;
            for (std::int64_t row = 0; row < m_task.rows; ++row)
                std::copy_n(from + row * m_width, last - first, to + row * product.ldc);
        }
    }

private:
    void addTile(std::int64_t row, std::int64_t col, std::int64_t k, std::int64_t depth, const float* left)
    {
        const Product& product = *m_task.product;
        std::array<float, kMaxTileRows> bias{};
        const float* start =
            startOfSums(product, m_task.row + row, std::min(m_kernel.rows, m_task.rows - row), k, bias);
        m_kernel.tileAt(depth, left, product.standing->data + m_task.col + col, product.standing->rows.data() + k,
                        m_values.data() + row * m_width + col, m_width, k > 0, start);
    }

    const MicroKernel& m_kernel;
    const Task& m_task;
    std::int64_t m_width;
    std::vector<float> m_values;
    std::vector<float> m_panel;
};

} // namespace

void runStanding(const base::Work& work, const MicroKernel& kernel, const Task& task, std::int64_t block)
{
    const Product& product = *task.product;
    const std::int64_t total = product.left->depth();
    Sums sums(kernel, task, block);
    for (std::int64_t k = 0; k < total && !work.cancelled(); k += block) {
        sums.addBlock(k, std::min(block, total - k));
        if (k == 0 && product.bias && !product.biasFirst)
            sums.addBias();
    }
    sums.writeRuns();
}

} // namespace gb::ops
