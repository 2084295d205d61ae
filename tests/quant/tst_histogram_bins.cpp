// Counting into bins and widening. The wanted figures are torch 2.14.1's own.
#include "quant/histogram_bins.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestHistogramBins : public QObject {
    Q_OBJECT

private slots:
    void histogram_s3_countsAsTorch();
    void histogram_s3_multipliesBeforeItDivides();
    void histogram_s3_lastBinIsClosed();
    void histogram_s2_widensOneValue();
    void histogram_s2_largeValueHasNeighboursOnly();
    void histogram_s4_halfTypesStopCounting();
    void rangeWiderThanFloatCountsNothing();
    void linspaceRoundsOnce();
    void histogram_s6_upscales();
    void refusesRangeThatIsNotFinite();
    void refusesNoBins();
    void refusesIntegers_data();
    void refusesIntegers();
};

namespace {

std::vector<float> scaled(std::vector<float> values, float factor)
{
    for (float& value : values)
        value *= factor;
    return values;
}

} // namespace

void TestHistogramBins::histogram_s3_countsAsTorch()
{
    QCOMPARE(*quant::histc(test::floats(test::sequence(50)), 7, -1, 1), (std::vector<float>{8, 7, 4, 9, 6, 8, 8}));
    QCOMPARE(*quant::histc(test::floats(scaled(test::sequence(50, 3), 3)), 5, -1, 1), // most lie outside
             (std::vector<float>{4, 2, 2, 1, 3}));
}

void TestHistogramBins::histogram_s3_multipliesBeforeItDivides()
{
    // (x - min) * 2048 overflows for the last value, and an infinite bin is bin 0
    const Tensor x = test::floats({-1.47723781028737e+35F, 6.4e33F, 1.478696697864867e+35F});
    const auto counts = quant::histc(x, 2048, x.at(0), x.at(2));
    QCOMPARE((*counts)[0], 2.0F);
    QCOMPARE((*counts)[1067], 1.0F);
}

void TestHistogramBins::histogram_s3_lastBinIsClosed()
{
    QCOMPARE(*quant::histc(test::floats({0, 1, 2, 3, 4}), 4, 0, 4), (std::vector<float>{1, 1, 1, 2}));
}

void TestHistogramBins::histogram_s2_widensOneValue()
{
    QCOMPARE(*quant::histc(test::floats({2.5F, 2.5F, 2.5F}), 5, 2.5, 2.5), (std::vector<float>{0, 0, 3, 0, 0}));
}

void TestHistogramBins::histogram_s2_largeValueHasNeighboursOnly()
{
    const Tensor x = test::floats(std::vector<float>(5, 67108864.0F)); // 4 below it, 8 above
    QCOMPARE(*quant::histc(x, 8, 67108864, 67108864), (std::vector<float>{0, 0, 5, 0, 0, 0, 0, 0}));
}

void TestHistogramBins::histogram_s4_halfTypesStopCounting()
{
    QCOMPARE(*quant::histc(Tensor::zeros(ir::DType::BFloat16, {300}), 2, 0, 1), (std::vector<float>{256, 0}));
    QCOMPARE(*quant::histc(Tensor::zeros(ir::DType::Float16, {2100}), 2, 0, 1), (std::vector<float>{2048, 0}));
    QCOMPARE(*quant::histc(Tensor::zeros(ir::DType::Float64, {2100}), 2, 0, 1), (std::vector<float>{2100, 0}));
}

void TestHistogramBins::rangeWiderThanFloatCountsNothing()
{
    const Tensor x = test::floats({-3e38F, 0, 3e38F});
    QCOMPARE(*quant::histc(x, 3, x.at(0), x.at(2)), (std::vector<float>{0, 0, 0}));
}

void TestHistogramBins::linspaceRoundsOnce()
{
    QCOMPARE(quant::linspace(-1.7F, 2.9F, 7),
             (std::vector<float>{-0x1.b33334p+0F, -0x1.ddddde0p-1F, -0x1.55555p-3F, 0x1.333332p-1F, 0x1.5dddde0p+0F,
                                 0x1.111112p+1F, 0x1.733334p+1F}));
}

void TestHistogramBins::histogram_s6_upscales()
{
    const std::vector<float> counts = {1, 0, 3, 5, 0, 2, 9, 4};
    QCOMPARE(quant::upscaled(counts, -1.0F, 1.0F, -1.3F, 2.0F),
             (std::vector<float>{0.4375F, 0.9375F, 6.375F, 2.0F, 10.5F, 3.75F, 0, 0}));
}

void TestHistogramBins::refusesRangeThatIsNotFinite()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto counts = quant::histc(test::floats({1, 2}), 4, nan, nan);
    QVERIFY(counts.error().code == base::ErrorCode::RuntimeError);
    QCOMPARE(counts.error().sentence, std::string("torch.histc: range of [nan, nan] is not finite"));
}

void TestHistogramBins::refusesNoBins()
{
    QCOMPARE(quant::histc(test::floats({1, 2}), 0, 1, 2).error().sentence,
             std::string("torch.histogram(): bins must be > 0, but got 0 for dimension 0"));
}

void TestHistogramBins::refusesIntegers_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<double>("least");
    QTest::addColumn<QString>("wanted");
    const auto number = [](ir::DType dtype) { return static_cast<int>(dtype); };
    QTest::newRow("int64") << number(ir::DType::Int64) << -1.0
                           << QStringLiteral("\"histogram_cpu\" not implemented for 'Long'");
    QTest::newRow("uint8") << number(ir::DType::UInt8) << 0.0
                           << QStringLiteral("\"histogram_cpu\" not implemented for 'Byte'");
    QTest::newRow("uint8 below 0") << number(ir::DType::UInt8) << -0.5
                                   << QStringLiteral("value cannot be converted to type uint8_t without overflow");
    QTest::newRow("int16 too wide") << number(ir::DType::Int16) << -1e6
                                    << QStringLiteral("value cannot be converted to type int16_t without overflow");
    QTest::newRow("bool") << number(ir::DType::Bool) << 0.0
                          << QStringLiteral("\"linspace_cpu\" not implemented for 'Bool'");
}

void TestHistogramBins::refusesIntegers()
{
    QFETCH(const int, dtype);
    QFETCH(const double, least);
    QFETCH(const QString, wanted);
    const auto counts = quant::histc(Tensor::zeros(static_cast<ir::DType>(dtype), {3}), 4, least, 1);
    QVERIFY(!counts.ok());
    QCOMPARE(QString::fromStdString(counts.error().sentence), wanted);
}

QTEST_APPLESS_MAIN(TestHistogramBins)
#include "tst_histogram_bins.moc"
