// The padded planes of a convolution against the matrix that im2col packs.
#include "ops/kernels/padded_planes.h"

#include <QTest>

using namespace gb;
using ops::PatchGrid;
using ops::Triple;

namespace {

constexpr std::int64_t kChannels = 2;

/// A convolution's grid: outputs from the sizes, taps for each channel and kernel element.
PatchGrid gridOf(const Triple& input, const Triple& kernel, const Triple& step, const Triple& padding,
                 const Triple& dilation)
{
    PatchGrid out;
    out.input = input;
    out.step = step;
    for (std::size_t axis = 0; axis < 3; ++axis)
        out.grid[axis] = (input[axis] + 2 * padding[axis] - dilation[axis] * (kernel[axis] - 1) - 1) / step[axis] + 1;
    for (std::int64_t c = 0; c < kChannels; ++c)
        for (std::int64_t z = 0; z < kernel[0]; ++z)
            for (std::int64_t y = 0; y < kernel[1]; ++y)
                for (std::int64_t x = 0; x < kernel[2]; ++x)
                    out.taps.push_back(
                        {c * input[0] * input[1] * input[2],
                         {z * dilation[0] - padding[0], y * dilation[1] - padding[1], x * dilation[2] - padding[2]}});
    return out;
}

std::vector<float> counted(const PatchGrid& grid)
{
    std::vector<float> out(static_cast<std::size_t>(kChannels * grid.input[0] * grid.input[1] * grid.input[2]));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>(i + 1);
    return out;
}

/// The whole matrix as im2col packs it, column by column of `grid`.
std::vector<float> packed(const PatchGrid& grid, const std::vector<float>& input)
{
    const auto pack = ops::packPatches(std::make_shared<PatchGrid>(grid), input.data());
    const auto depth = static_cast<std::int64_t>(grid.taps.size());
    std::vector<float> out(static_cast<std::size_t>(depth * grid.columns()));
    for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t col = 0; col < grid.columns(); ++col)
            pack(k, 1, col, 1, 1, out.data() + k * grid.columns() + col);
    return out;
}

std::vector<float> standing(const PatchGrid& grid, const ops::StandingRight& factor)
{
    std::vector<float> out(factor.rows.size() * static_cast<std::size_t>(grid.columns()), -1.0F);
    for (std::size_t k = 0; k < factor.rows.size(); ++k)
        for (const ops::ColumnRun& run : factor.runs)
            for (std::int64_t i = 0; i < run.count; ++i)
                out[k * static_cast<std::size_t>(grid.columns()) + static_cast<std::size_t>(run.to + i)] =
                    factor.data[factor.rows[k] + run.first + i];
    return out;
}

} // namespace

class TestPaddedPlanes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdTheMatrix_data()
    {
        QTest::addColumn<PatchGrid>("grid");
        const Triple one{1, 1, 1};
        const Triple none{0, 0, 0};
        QTest::newRow("3 x 3") << gridOf({1, 40, 40}, {1, 3, 3}, one, {0, 1, 1}, one);
        QTest::newRow("no padding") << gridOf({1, 40, 41}, {1, 3, 2}, one, none, one);
        QTest::newRow("step 2") << gridOf({1, 64, 64}, {1, 3, 3}, {1, 2, 2}, {0, 1, 1}, one);
        QTest::newRow("step 2, one element") << gridOf({1, 64, 63}, one, {1, 2, 2}, none, one);
        QTest::newRow("7 x 7, step 2") << gridOf({1, 65, 64}, {1, 7, 7}, {1, 2, 2}, {0, 3, 3}, one);
        QTest::newRow("other steps") << gridOf({1, 60, 90}, {1, 3, 5}, {1, 2, 3}, {0, 2, 1}, one);
        QTest::newRow("dilated") << gridOf({1, 50, 50}, {1, 3, 3}, one, {0, 2, 2}, {1, 2, 2});
        QTest::newRow("one dimension") << gridOf({1, 1, 300}, {1, 1, 5}, {1, 1, 2}, {0, 0, 2}, one);
        QTest::newRow("three dimensions") << gridOf({8, 30, 30}, {3, 3, 3}, {2, 1, 1}, one, one);
    }
    void holdTheMatrix()
    {
        QFETCH(PatchGrid, grid);
        const std::vector<float> input = counted(grid);
        const auto planes = ops::PaddedPlanes::make({}, grid, input.data(), kChannels);
        QVERIFY(planes);
        QVERIFY(standing(grid, planes->factor()) == packed(grid, input));
    }
    void rowsCanBeReadForATileBehindTheLastColumn()
    {
        const PatchGrid grid = gridOf({1, 40, 40}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1});
        const std::vector<float> input = counted(grid);
        const auto planes = ops::PaddedPlanes::make({}, grid, input.data(), kChannels);
        QVERIFY(planes);
        float sum = 0; // sanitizers watch
        for (const std::int64_t row : planes->factor().rows)
            for (std::int64_t i = 0; i < ops::kMaxTileCols - 1; ++i)
                sum += planes->factor().data[row + planes->factor().columns() + i];
        QVERIFY(std::isfinite(sum));
    }
    void areNotMadeWhereTheyCostMore_data()
    {
        QTest::addColumn<PatchGrid>("grid");
        const Triple one{1, 1, 1};
        QTest::newRow("far apart") << gridOf({1, 20, 20}, {1, 2, 2}, one, {0, 500, 500}, {1, 1000, 1000});
        QTest::newRow("absurdly far") << gridOf({8, 8, 8}, {2, 2, 2}, one, {1LL << 30, 1LL << 30, 1LL << 30},
                                                {1LL << 31, 1LL << 31, 1LL << 31});
        QTest::newRow("narrow rows") << gridOf({1, 200, 2}, {1, 1, 3}, one, {0, 0, 1}, one);
        QTest::newRow("nothing") << PatchGrid{{}, one, one, one};
    }
    void areNotMadeWhereTheyCostMore()
    {
        QFETCH(PatchGrid, grid);
        const std::vector<float> input = counted(grid);
        QVERIFY(!ops::PaddedPlanes::make({}, grid, input.data(), kChannels));
    }
};

QTEST_GUILESS_MAIN(TestPaddedPlanes)
#include "tst_padded_planes.moc"
