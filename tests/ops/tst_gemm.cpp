// The matrix product: every instruction set, way of packing and layout against a sum in double.
#include "ops/gemm/gemm.h"
#include "ops/gemm/transpose.h"

#include <QTest>

#include <cmath>

using namespace gb;
using ops::LeftFactor;
using ops::MatrixView;

namespace {

std::vector<float> wave(std::int64_t count)
{
    std::vector<float> out;
    for (std::int64_t i = 0; i < count; ++i)
        out.push_back(std::sin(static_cast<float>(i) * 0.7F));
    return out;
}

std::vector<const ops::MicroKernel*> runnable()
{
    std::vector<const ops::MicroKernel*> out{&ops::microKernelBaseline()};
    const std::string best = ops::bestMicroKernel().name;
    if (best != "baseline")
        out.push_back(&ops::microKernelAvx2());
    if (best == "avx512")
        out.push_back(&ops::microKernelAvx512());
    return out;
}

/// A matrix of `values`, by rows or by columns.
MatrixView view(const std::vector<float>& values, std::int64_t rows, std::int64_t cols, bool byRows)
{
    return byRows ? MatrixView{values.data(), cols, 1} : MatrixView{values.data(), 1, rows};
}

double largestError(const MatrixView& a, const MatrixView& b, const std::vector<float>& c, std::int64_t m,
                    std::int64_t n, std::int64_t k)
{
    double out = 0;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::int64_t p = 0; p < k; ++p)
                sum += static_cast<double>(a.data[i * a.rowStride + p * a.colStride])
                       * static_cast<double>(b.data[p * b.rowStride + j * b.colStride]);
            out = std::max(out, std::fabs(static_cast<double>(c[static_cast<std::size_t>(i * n + j)]) - sum));
        }
    return out;
}

} // namespace

class TestGemm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWayGivesTheProduct_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("cols");
        for (const int rows : {1, 5, 6, 12, 13, 130})
            for (const int cols : {1, 32, 77, 300})
                QTest::addRow("%d x %d", rows, cols) << rows << cols;
    }
    void everyWayGivesTheProduct()
    {
        QFETCH(int, rows);
        QFETCH(int, cols);
        constexpr std::int64_t kDepth = 301;
        constexpr double kTolerance = 2e-4; // sums reach 150; a wrong element is off by a tenth
        const std::vector<float> a = wave(rows * kDepth);
        const std::vector<float> b = wave(kDepth * cols);
        base::Pool pool(2);
        ops::Context context;
        context.pool = &pool;
        for (const ops::MicroKernel* kernel : runnable())
            for (const bool leftByRows : {true, false})
                for (const bool rightByRows : {true, false})
                    for (const auto packing : {LeftFactor::Packing::Ahead, LeftFactor::Packing::InTask}) {
                        const MatrixView left = view(a, rows, kDepth, leftByRows);
                        const MatrixView right = view(b, kDepth, cols, rightByRows);
                        const LeftFactor factor(context, *kernel, rows, kDepth, left, packing);
                        std::vector<float> c(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 99.0F);
                        ops::multiply(context, *kernel, {{&factor, ops::packMatrix(right), cols, c.data(), cols}});
                        QVERIFY2(largestError(left, right, c, rows, cols, kDepth) < kTolerance, kernel->name);
                    }
    }
    void standingFactorGivesWhatThePackedOneGives_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("width");
        for (const int rows : {1, 12, 70})
            for (const int width : {1, 7, 40})
                QTest::addRow("%d x %d", rows, width) << rows << width;
    }
    void standingFactorGivesWhatThePackedOneGives()
    {
        QFETCH(int, rows);
        QFETCH(int, width);
        constexpr std::int64_t kDepth = 150; // rows of the right factor overlap, in no order
        constexpr std::int64_t kLines = 9;
        const std::int64_t pitch = width + 2;
        ops::StandingRight standing;
        const std::vector<float> memory = wave(kDepth + kLines * pitch + ops::kMaxTileCols);
        standing.data = memory.data();
        for (std::int64_t k = 0; k < kDepth; ++k)
            standing.rows.push_back(k * 7 % kDepth);
        for (std::int64_t line = 0; line < kLines; ++line)
            standing.runs.push_back({line * pitch, width, line * width});
        const std::int64_t cols = kLines * width;
        std::vector<float> packed;
        for (const std::int64_t row : standing.rows)
            for (std::int64_t col = 0; col < cols; ++col)
                packed.push_back(memory[static_cast<std::size_t>(row + col / width * pitch + col % width)]);
        std::vector<std::int64_t> columns; // of the left factor: each block of 50 the other way round
        for (std::int64_t k = 0; k < kDepth; ++k)
            columns.push_back(k / 50 * 50 + 49 - k % 50);
        const std::vector<float> a = wave(rows * kDepth);
        const std::vector<float> bias = wave(rows);
        for (const ops::MicroKernel* kernel : runnable())
            for (const bool biasFirst : {true, false})
                for (const auto packing : {LeftFactor::Packing::Ahead, LeftFactor::Packing::InTask}) {
                    const LeftFactor left({}, *kernel, rows, kDepth, {a.data(), kDepth, 1, columns.data()}, packing);
                    const auto result = [&](ops::Product product, std::int64_t count) {
                        std::vector<float> c(static_cast<std::size_t>(rows * cols), 99.0F);
                        product.left = &left;
                        product.cols = count;
                        product.c = c.data();
                        product.ldc = cols;
                        product.depthBlock = 50;
                        product.bias = bias.data();
                        product.biasFirst = biasFirst;
                        ops::multiply({}, *kernel, {product});
                        return c;
                    };
                    ops::Product inPlace;
                    inPlace.standing = &standing;
                    ops::Product copied;
                    copied.right = ops::packMatrix({packed.data(), cols, 1});
                    QVERIFY2(result(inPlace, standing.columns()) == result(copied, cols), kernel->name);
                }
    }
    void placedColumnsAreTransposed()
    {
        constexpr std::int64_t kRows = 6;
        constexpr std::int64_t kDepth = 7;
        constexpr std::int64_t kWidth = 8;
        const std::vector<std::int64_t> places{12, 10, 16, 11, 14, 13, 15};
        const std::vector<float> from = wave(kRows * kDepth);
        std::vector<float> to(kDepth * kWidth, 99.0F);
        ops::transposeTo(places.data(), 10, from.data(), kDepth, kRows, kDepth, to.data(), kWidth);
        for (std::int64_t d = 0; d < kDepth; ++d)
            for (std::int64_t r = 0; r < kWidth; ++r)
                QCOMPARE(to[static_cast<std::size_t>((places[static_cast<std::size_t>(d)] - 10) * kWidth + r)],
                         r < kRows ? from[static_cast<std::size_t>(r * kDepth + d)] : 99.0F);
    }
    void threadsDoNotChangeABit()
    {
        constexpr std::int64_t kSize = 200;
        const std::vector<float> a = wave(kSize * kSize);
        std::vector<std::vector<float>> results;
        for (const unsigned threads : {1U, 3U}) {
            base::Pool pool(threads);
            ops::Context context;
            context.pool = &pool;
            results.emplace_back(kSize * kSize);
            ops::multiply(context, kSize, kSize, kSize, {a.data(), kSize, 1}, {a.data(), 1, kSize},
                          results.back().data());
        }
        QVERIFY(results[0] == results[1]);
    }
    void noDepthGivesZeros()
    {
        std::vector<float> c(6, 99.0F);
        ops::multiply(ops::Context{}, 6, 1, 0, {nullptr, 0, 2}, {nullptr, 1, 1}, c.data());
        QVERIFY(c == std::vector<float>(6, 0.0F));
    }
    void transposedRowsLieBetweenWhatWasThere_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("depth");
        for (const int rows : {0, 1, 4, 6, 9})
            for (const int depth : {0, 3, 4, 10})
                QTest::addRow("%d x %d", rows, depth) << rows << depth;
    }
    void transposedRowsLieBetweenWhatWasThere()
    {
        QFETCH(int, rows);
        QFETCH(int, depth);
        constexpr int kWidth = 12;
        constexpr int kStride = 11;
        const std::vector<float> from = wave(rows * kStride + depth);
        std::vector<float> to(static_cast<std::size_t>(depth * kWidth), 99.0F);
        ops::transposeInto(from.data(), kStride, rows, depth, to.data(), kWidth);
        for (int d = 0; d < depth; ++d)
            for (int r = 0; r < kWidth; ++r)
                QCOMPARE(to[static_cast<std::size_t>(d * kWidth + r)],
                         r < rows ? from[static_cast<std::size_t>(r * kStride + d)] : 99.0F);
    }
};

QTEST_GUILESS_MAIN(TestGemm)
#include "tst_gemm.moc"
