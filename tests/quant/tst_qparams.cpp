// Scale and zero point from a range, rule by rule.
#include "quant/qparams.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestQParams : public QObject {
    Q_OBJECT

private slots:
    void qparams_c1_untouchedRangeGivesOneAndZero();
    void qparams_c2_refusesMinAboveMax();
    void qparams_c2_refusesNaN();
    void qparams_c3_rangeHoldsZero();
    void qparams_c4_symmetricZeroPoints_data();
    void qparams_c4_symmetricZeroPoints();
    void qparams_c5_floatQParams();
    void qparams_c6_affineZeroPointIsInt32();
    void qparams_c6_infiniteMinimumWrapsAround();
    void qparams_c6_epsIsTheLeastScale();
    void qparams_c6_refusesRangeBeyondInt32();
};

namespace {

quant::UniformConfig configOf(const char* dtype, ir::QScheme scheme, std::int64_t least, std::int64_t most)
{
    quant::UniformConfig config;
    config.dtype = quant::quantDType(ir::Argument(dtype));
    config.qscheme = scheme;
    config.quantMin = least;
    config.quantMax = most;
    return config;
}

const quant::UniformConfig kInt8 = configOf("int8", ir::QScheme::PerTensorAffine, -128, 127);

base::Result<quant::QParams> qparams(const quant::UniformConfig& config, float min, float max)
{
    return quant::calculateQParams(config, Tensor::scalar(min), Tensor::scalar(max));
}

constexpr float kInf = std::numeric_limits<float>::infinity();

} // namespace

void TestQParams::qparams_c1_untouchedRangeGivesOneAndZero()
{
    for (const auto& result : {qparams(kInt8, kInf, -kInf), quant::calculateQParams(kInt8, Tensor(), Tensor())}) {
        QVERIFY(result.ok());
        QCOMPARE(result->scale.toDoubles(), std::vector<double>{1.0});
        QVERIFY(result->zeroPoint.dtype() == ir::DType::Int64);
        QCOMPARE(result->zeroPoint.toDoubles(), std::vector<double>{0.0});
    }
}

void TestQParams::qparams_c2_refusesMinAboveMax()
{
    const auto result = qparams(kInt8, 2.5F, 0.0F);
    QVERIFY(!result.ok());
    QVERIFY(result.error().code == base::ErrorCode::AssertionError);
    QCOMPARE(result.error().sentence, std::string("min 2.5 should be less than max 0.0"));
}

void TestQParams::qparams_c2_refusesNaN()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(qparams(kInt8, nan, nan).error().sentence, std::string("min nan should be less than max nan"));
    const auto channels = quant::calculateQParams(kInt8, test::floats({nan, 2}), test::floats({nan, 3}));
    QCOMPARE(channels.error().sentence, std::string("min tensor([nan, 2.]) should be less than max tensor([nan, 3.])"));
}

void TestQParams::qparams_c3_rangeHoldsZero()
{
    const auto positive = qparams(kInt8, 2.0F, 5.1F);
    QVERIFY(positive->scale.at(0) == static_cast<double>(5.1F / 255.0F));
    QCOMPARE(positive->zeroPoint.at(0), -128.0);
    const auto negative = qparams(kInt8, -5.1F, -2.0F);
    QCOMPARE(negative->zeroPoint.at(0), 127.0);
}

void TestQParams::qparams_c4_symmetricZeroPoints_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<bool>("customized");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::addColumn<double>("wanted");
    QTest::newRow("int8") << QStringLiteral("int8") << true << -127 << 127 << 0.0;
    QTest::newRow("uint8") << QStringLiteral("uint8") << false << 0 << 255 << 128.0;
    QTest::newRow("quint8") << QStringLiteral("quint8") << false << 0 << 255 << 128.0;
    QTest::newRow("uint8, own range") << QStringLiteral("uint8") << true << 0 << 100 << 50.0;
    QTest::newRow("uint8, odd sum below 0") << QStringLiteral("uint8") << true << -4 << 1 << -2.0;
    QTest::newRow("uint16") << QStringLiteral("uint16") << true << 0 << 65535 << 32768.0;
    QTest::newRow("int16") << QStringLiteral("int16") << true << -32768 << 32767 << 0.0;
}

void TestQParams::qparams_c4_symmetricZeroPoints()
{
    QFETCH(const QString, dtype);
    QFETCH(const bool, customized);
    QFETCH(const int, least);
    QFETCH(const int, most);
    QFETCH(const double, wanted);
    auto config = configOf(qPrintable(dtype), ir::QScheme::PerTensorSymmetric, least, most);
    config.customizedRange = customized;
    const auto result = qparams(config, -3.0F, 1.0F);
    QVERIFY(result->scale.at(0) == static_cast<double>(3.0F / (static_cast<float>(most - least) / 2)));
    QVERIFY(result->zeroPoint.dtype() == ir::DType::Int64);
    QCOMPARE(result->zeroPoint.at(0), wanted);
}

void TestQParams::qparams_c5_floatQParams()
{
    const auto config = configOf("uint8", ir::QScheme::PerChannelAffineFloatQParams, 0, 255);
    const auto result = quant::calculateQParams(config, test::floats({1, 2}), test::floats({4, 2}));
    QVERIFY(result->zeroPoint.dtype() == ir::DType::Float32);
    QVERIFY(result->scale.at(0) == static_cast<double>(3.0F / 255.0F));
    QVERIFY(result->zeroPoint.at(0) == static_cast<double>(-1.0F / (3.0F / 255.0F)));
    QCOMPARE(result->scale.at(1), 1.0); // a range without width
    QCOMPARE(result->zeroPoint.at(1), -2.0);
}

void TestQParams::qparams_c6_affineZeroPointIsInt32()
{
    const auto result = qparams(kInt8, -1.0F, 3.0F);
    QVERIFY(result->scale.dtype() == ir::DType::Float32);
    QVERIFY(result->zeroPoint.dtype() == ir::DType::Int32);
    QCOMPARE(result->scale.shape(), ir::Shape{1});
    QVERIFY(result->scale.at(0) == static_cast<double>(4.0F / 255.0F));
    QCOMPARE(result->zeroPoint.at(0), -64.0);
}

void TestQParams::qparams_c6_infiniteMinimumWrapsAround()
{
    const auto result = qparams(kInt8, -kInf, 3.0F);
    QCOMPARE(result->scale.at(0), static_cast<double>(kInf));
    QCOMPARE(result->zeroPoint.at(0), 127.0); // -128 - INT_MIN, clamped
}

void TestQParams::qparams_c6_epsIsTheLeastScale()
{
    auto config = kInt8;
    config.eps = 0.25F;
    QCOMPARE(qparams(config, -1.0F, 1.0F)->scale.at(0), 0.25);
}

void TestQParams::qparams_c6_refusesRangeBeyondInt32()
{
    const auto config = configOf("int32", ir::QScheme::PerTensorAffine, 0, 4294967295);
    QVERIFY(qparams(config, -1.0F, 1.0F).error().code == base::ErrorCode::RuntimeError);
}

QTEST_APPLESS_MAIN(TestQParams)
#include "tst_qparams.moc"
