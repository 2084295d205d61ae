// Observers that look at nothing: fixed, derived, placeholder and the other passive ones.
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestOtherObservers : public QObject {
    Q_OBJECT

private slots:
    void fixedGivesWhatItWasGiven();
    void fixedTakesNoneAsRange();
    void fixedRefusesDynamic();
    void fixedRefusesMissingScale();
    void fixedRefusesZeroPointBeyondInt32();
    void placeholderHasNoQParams();
    void placeholderDefaults();
    void passiveOnesPassTheirInputOn_data();
    void passiveOnesPassTheirInputOn();
    void derivedMultipliesScales();
    void derivedFollowsItsSources();
    void derivedRefusesSeveralActivationScales();
    void derivedRefusesOneSource();
    void derivedRefusesPerChannelWithoutAxis();
    void derivedRefusesUnknownFunction();
};

namespace {

base::Result<std::shared_ptr<quant::Observer>> bias(std::vector<std::shared_ptr<const quant::Observer>> from)
{
    ir::DerivedQuantizationSpec spec;
    spec.derive = "bias";
    return quant::makeObserver(spec, std::move(from));
}

std::shared_ptr<quant::Observer> weightObserver()
{
    auto observer = test::made("PerChannelMinMaxObserver", test::int8Arguments({{"qscheme", "per_channel_symmetric"}}));
    (void)observer->forward(test::floats({1, -2, 3, -4}, {2, 2}));
    return observer;
}

} // namespace

void TestOtherObservers::fixedGivesWhatItWasGiven()
{
    ir::FixedQParamsQuantizationSpec spec;
    spec.scale = 1.0 / 3;
    spec.zeroPoint = 7;
    spec.quantMin = 0;
    spec.quantMax = 255;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    const auto observer = *quant::makeObserver(spec, false);
    QVERIFY(observer->forward(test::floats({100})).ok());
    const auto qparams = observer->calculateQParams();
    QVERIFY(qparams->scale.at(0) == static_cast<double>(static_cast<float>(1.0 / 3)));
    QVERIFY(qparams->zeroPoint.dtype() == ir::DType::Int32);
    QCOMPARE(qparams->zeroPoint.at(0), 7.0);
    QVERIFY(!observer->state().minVal && !observer->settings().eps);
}

void TestOtherObservers::fixedTakesNoneAsRange()
{
    const auto observer = *quant::makeObserver(ir::FixedQParamsQuantizationSpec{}, false);
    QVERIFY(!observer->settings().quantMin && observer->settings().hasQuantRange);
    QVERIFY(!observer->settings().qscheme && observer->settings().hasQScheme);
}

void TestOtherObservers::fixedRefusesDynamic()
{
    ir::FixedQParamsQuantizationSpec spec;
    spec.isDynamic = true;
    QVERIFY(quant::makeObserver(spec, false).error().code == base::ErrorCode::NotImplementedError);
}

void TestOtherObservers::fixedRefusesMissingScale()
{
    QCOMPARE(test::refusal("FixedQParamsObserver", {{"zero_point", 1}}),
             std::string("TypeError: FixedQParamsObserver.__init__() missing 1 required positional argument: 'scale'"));
}

void TestOtherObservers::fixedRefusesZeroPointBeyondInt32()
{
    QVERIFY(test::refusal("FixedQParamsObserver", {{"scale", 1.0}, {"zero_point", std::int64_t{1} << 40}})
                .starts_with("RuntimeError"));
}

void TestOtherObservers::placeholderHasNoQParams()
{
    const auto observer = test::made("PlaceholderObserver", {{"dtype", ir::DType::Float16}});
    QCOMPARE(observer->state().noQParams,
             std::string("calculate_qparams should not be called for PlaceholderObserver"));
    QVERIFY(observer->calculateQParams().error().code == base::ErrorCode::Exception);
}

void TestOtherObservers::placeholderDefaults()
{
    const auto observer = test::made("PlaceholderObserver", {{"is_dynamic", true}});
    QCOMPARE(observer->settings().dtypeName, std::string("float32"));
    QVERIFY(observer->settings().qscheme == ir::QScheme::PerTensorAffine);
    QVERIFY(observer->settings().isDynamic.value());
    QCOMPARE(*observer->settings().eps, 1.1920928955078125e-07);
    QVERIFY(!observer->settings().quantMin);
}

void TestOtherObservers::passiveOnesPassTheirInputOn_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"PlaceholderObserver", "RecordingObserver", "NoopObserver", "ReuseInputObserver"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestOtherObservers::passiveOnesPassTheirInputOn()
{
    QFETCH(const QString, name);
    const auto observer = test::made(name.toStdString(), {});
    QVERIFY(observer);
    const Tensor x = test::floats({1, 2});
    QVERIFY(observer->forward(x)->sharesStorage(x));
    QCOMPARE(observer->copy()->state().batches, std::int64_t{1});
    QCOMPARE(QString::fromLatin1(observer->typeName()), name);
    QVERIFY(test::refusal(name.toStdString(), {{"nonsense", 1}}).find("nonsense") != std::string::npos);
}

void TestOtherObservers::derivedMultipliesScales()
{
    const auto activation = test::made("MinMaxObserver", test::int8Arguments());
    QVERIFY(activation->forward(test::floats({-1, 2})).ok());
    const auto weight = weightObserver();
    const auto observer = *bias({activation, weight});
    const auto qparams = observer->calculateQParams();
    const auto factor = static_cast<float>(activation->calculateQParams()->scale.at(0));
    QCOMPARE(qparams->scale.elementCount(), std::int64_t{2});
    for (std::int64_t i = 0; i < 2; ++i)
        QVERIFY(static_cast<float>(qparams->scale.at(i))
                == factor * static_cast<float>(weight->calculateQParams()->scale.at(i)));
    QVERIFY(qparams->zeroPoint.dtype() == ir::DType::Int64);
    QCOMPARE(qparams->zeroPoint.toDoubles(), (std::vector<double>{0, 0}));
}

void TestOtherObservers::derivedFollowsItsSources()
{
    const auto activation = test::made("MinMaxObserver", test::int8Arguments());
    const auto observer = *bias({activation, weightObserver()});
    const double before = observer->calculateQParams()->scale.at(0);
    QVERIFY(activation->forward(test::floats({-1, 2})).ok());
    QVERIFY(observer->calculateQParams()->scale.at(0) != before);
}

void TestOtherObservers::derivedRefusesSeveralActivationScales()
{
    const auto qparams = (*bias({weightObserver(), weightObserver()}))->calculateQParams();
    QCOMPARE(qparams.error().sentence, std::string("a Tensor with 2 elements cannot be converted to Scalar"));
}

void TestOtherObservers::derivedRefusesOneSource()
{
    QVERIFY((*bias({weightObserver()}))->calculateQParams().error().code == base::ErrorCode::IndexError);
}

void TestOtherObservers::derivedRefusesPerChannelWithoutAxis()
{
    ir::DerivedQuantizationSpec spec;
    spec.derive = "bias";
    spec.qscheme = ir::QScheme::PerChannelSymmetric;
    QVERIFY(quant::makeObserver(spec, {}).error().code == base::ErrorCode::AssertionError);
}

void TestOtherObservers::derivedRefusesUnknownFunction()
{
    ir::DerivedQuantizationSpec spec;
    spec.derive = "mean";
    QVERIFY(quant::makeObserver(spec, {}).error().sentence.find("mean") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestOtherObservers)
#include "tst_other_observers.moc"
