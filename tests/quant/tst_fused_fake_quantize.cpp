// FusedMovingAvgObsFakeQuantize. The wanted figures are torch 2.14.1's own.
#include "quant/fused_fake_quantize.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestFusedFakeQuantize : public QObject {
    Q_OBJECT

private slots:
    void fakequant_f6_choosesQParams_data();
    void fakequant_f6_choosesQParams();
    void fakequant_f5_averagesAndRounds();
    void rangeIsNotTheObserversOnlyQParams();
    void perChannelSizesItsBuffers();
    void fakeQuantOffKeepsTheScale();
    void emptyInputIsReturned();
    void refusesOtherAxis();
    void refusesDouble();
    void refusesOneDimension();
    void refusesObserverWithoutAverage();
    void refusesRangeOfItsDefaults();
};

namespace {

std::shared_ptr<quant::Observer> fused(const char* observer, test::Arguments more = {})
{
    more.emplace_back("observer", observer);
    return test::made("FusedMovingAvgObsFakeQuantize", std::move(more));
}

} // namespace

void TestFusedFakeQuantize::fakequant_f6_choosesQParams_data()
{
    QTest::addColumn<float>("min");
    QTest::addColumn<float>("max");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::addColumn<bool>("symmetric");
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("zeroPoint");
    constexpr double small = 6.0999998822808266e-05;
    QTest::newRow("affine") << -1.0F << 3.0F << -128 << 127 << false << 0.01568627543747425 << -64;
    QTest::newRow("symmetric") << -1.0F << 3.0F << -128 << 127 << true << 0.023622047156095505 << 0;
    QTest::newRow("small scale") << 0.0F << 1e-9F << 0 << 255 << false << small << 0;
    QTest::newRow("no range") << 0.0F << 0.0F << 0 << 255 << false << 0.10000000149011612 << 0;
    QTest::newRow("below 0") << -2.0F << -1.0F << 0 << 255 << false << 0.007843137718737125 << 255;
    QTest::newRow("small around 0") << -1e-4F << 1e-4F << -128 << 127 << false << small << -1;
    QTest::newRow("int32 wraps") << -1.0F << 3.0F << INT_MIN << INT_MAX << false << small << INT_MIN;
}

void TestFusedFakeQuantize::fakequant_f6_choosesQParams()
{
    QFETCH(const float, min);
    QFETCH(const float, max);
    QFETCH(const int, least);
    QFETCH(const int, most);
    QFETCH(const bool, symmetric);
    QFETCH(const double, scale);
    QFETCH(const int, zeroPoint);
    const quant::ChosenQParams chosen = quant::chooseQParams(min, max, least, most, symmetric);
    QVERIFY(static_cast<float>(chosen.scale) == static_cast<float>(scale));
    QCOMPARE(chosen.zeroPoint, zeroPoint);
}

void TestFusedFakeQuantize::fakequant_f5_averagesAndRounds()
{
    const auto module = fused("MovingAverageMinMaxObserver", test::int8Arguments({{"averaging_constant", 0.25}}));
    QVERIFY(module->forward(test::floats(test::sequence(20))).ok());
    std::vector<float> second = test::sequence(20, 7);
    for (float& value : second)
        value *= 3;
    const auto out = module->forward(test::floats(second));
    const quant::ObserverState state = module->state();
    QVERIFY(state.minVal->at(0) == -1.4467607736587524);
    QVERIFY(state.maxVal->at(0) == 1.344728708267212);
    QVERIFY(state.used->scale.at(0) == 0.010947017930448055);
    QCOMPARE(state.used->zeroPoint.at(0), 4.0);
    QVERIFY(out->at(0) == 1.3464832305908203);
    QVERIFY(out->at(1) == -0.5145098567008972);
    QCOMPARE(state.batches, std::int64_t{2});
}

void TestFusedFakeQuantize::rangeIsNotTheObserversOnlyQParams()
{
    const auto module = fused("MovingAverageMinMaxObserver"); // a tiny range: FBGEMM's threshold against eps
    QVERIFY(module->forward(test::floats({0, 1e-6F})).ok());
    QVERIFY(module->state().used->scale.at(0) != module->state().qparams->scale.at(0));
}

void TestFusedFakeQuantize::perChannelSizesItsBuffers()
{
    const auto module = fused(
        "MovingAveragePerChannelMinMaxObserver",
        {{"qscheme", "per_channel_symmetric"}, {"dtype", ir::DType::Int8}, {"quant_min", -127}, {"quant_max", 127}});
    QVERIFY(module->forward(test::floats({1, -2, 3, 4, 5, -6}, {3, 2})).ok());
    QCOMPARE(module->state().minVal->toDoubles(), (std::vector<double>{-2, 3, -6}));
    QCOMPARE(module->state().used->scale.elementCount(), std::int64_t{3});
}

void TestFusedFakeQuantize::fakeQuantOffKeepsTheScale()
{
    const auto module = fused("MovingAverageMinMaxObserver");
    module->setFakeQuantEnabled(false);
    const Tensor x = test::floats({1, 4});
    const auto out = module->forward(x);
    QCOMPARE(out->toDoubles(), x.toDoubles());
    QCOMPARE(module->state().used->scale.at(0), 1.0);
    QCOMPARE(module->state().minVal->at(0), 1.0);
}

void TestFusedFakeQuantize::emptyInputIsReturned()
{
    const auto module = fused("MovingAveragePerChannelMinMaxObserver", {{"qscheme", "per_channel_affine"}});
    QCOMPARE(module->forward(Tensor::zeros(ir::DType::Float32, {0, 3}))->shape(), (ir::Shape{0, 3}));
    QCOMPARE(module->state().minVal->elementCount(), std::int64_t{0});
}

void TestFusedFakeQuantize::refusesOtherAxis()
{
    const auto module =
        fused("MovingAveragePerChannelMinMaxObserver", {{"ch_axis", 1}, {"qscheme", "per_channel_affine"}});
    QVERIFY(module->forward(test::floats({1, 2}, {1, 2})).error().sentence.find("only supported on axis == 0")
            != std::string::npos);
}

void TestFusedFakeQuantize::refusesDouble()
{
    const auto returned = fused("MovingAverageMinMaxObserver")->forward(Tensor::zeros(ir::DType::Float64, {2}));
    QCOMPARE(returned.error().sentence, std::string("expected scalar type Float but found Double"));
}

void TestFusedFakeQuantize::refusesOneDimension()
{
    const auto module = fused("MovingAveragePerChannelMinMaxObserver", {{"qscheme", "per_channel_affine"}});
    QVERIFY(module->forward(test::floats({1, 2})).error().code == base::ErrorCode::IndexError);
    QVERIFY(module->forward(Tensor::scalar(1.0F)).error().code == base::ErrorCode::RuntimeError);
}

void TestFusedFakeQuantize::refusesObserverWithoutAverage()
{
    QCOMPARE(
        test::refusal("FusedMovingAvgObsFakeQuantize", {{"observer", "MinMaxObserver"}}),
        std::string("AssertionError: Fused observer+fake_quant module only works with MovingAverageMinMaxObserver"));
}

void TestFusedFakeQuantize::refusesRangeOfItsDefaults()
{
    // quant_max is 255 by default, which int8 does not hold
    QCOMPARE(test::refusal("FusedMovingAvgObsFakeQuantize", {{"dtype", ir::DType::Int8}}),
             std::string("AssertionError: quant_max out of bound"));
}

QTEST_APPLESS_MAIN(TestFusedFakeQuantize)
#include "tst_fused_fake_quantize.moc"
