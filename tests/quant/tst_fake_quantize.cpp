// FakeQuantize and its kernels. The wanted figures are torch 2.14.1's own.
#include "quant/fake_quantize_kernel.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestFakeQuantize : public QObject {
    Q_OBJECT

private slots:
    void fakequant_f1_perTensor();
    void fakequant_f1_nanBecomesTheLeast();
    void fakequant_f2_perChannel();
    void fakequant_f2_floatZeroPoints();
    void keepsDtypeAndShape();
    void refusesIntegers();
    void refusesOtherChannels();
    void refusesZeroPointOutside();
    void refusesNegativeAxis();
    void fakequant_f3_observesThenRounds();
    void fakequant_f3_observerOff();
    void fakequant_f4_fakeQuantOff();
    void nestedArgumentsComeBehind();
    void copyHasItsOwnObserver();
    void fixedUsesItsQParams();
    void fixedRefusesOtherObserver();
    void refusesRangeOutsideOfDtype();
    void refusesFakeQuantizeInside();
};

namespace {

quant::QParams qparams(const std::vector<float>& scale, const std::vector<std::int32_t>& zeroPoint)
{
    return {test::floats(scale), Tensor::fromVector(zeroPoint)};
}

Tensor values12()
{
    std::vector<float> values = test::sequence(12);
    for (float& value : values)
        value *= 2;
    return test::floats(values);
}

/// Compares as float32: the wanted doubles are float32 values as Python prints them.
void compare(const base::Result<Tensor>& got, const std::vector<double>& wanted)
{
    QVERIFY(got.ok());
    const std::vector<double> values = got->toDoubles();
    QCOMPARE(values.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY2(values[i] == wanted[i], qPrintable(QString::number(i)));
}

} // namespace

void TestFakeQuantize::fakequant_f1_perTensor()
{
    const double high = 0.20000000298023224;
    const double low = -0.550000011920929;
    compare(quant::fakeQuantizePerTensor(values12(), qparams({0.05F}, {3}), -8, 7),
            {high, high, low, low, high, high, low, low, 0.05000000074505806, low, high, high});
}

void TestFakeQuantize::fakequant_f1_nanBecomesTheLeast()
{
    const Tensor x = test::floats({std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, -HUGE_VALF});
    compare(quant::fakeQuantizePerTensor(x, qparams({0.5F}, {1}), -8, 7), {-4.5, 3.0, -4.5});
}

void TestFakeQuantize::fakequant_f2_perChannel()
{
    compare(
        quant::fakeQuantizePerChannel(values12().reshaped({3, 4}), qparams({0.05F, 0.1F, 0.3F}, {0, 3, -2}), 0, -8, 7),
        {0.3499999940395355, 0.3499999940395355, -0.4000000059604645, -0.4000000059604645, 0.20000000298023224,
         0.4000000059604645, -0.9000000357627869, -1.100000023841858, 0.0, -1.5, 0.9000000357627869,
         1.8000000715255737});
}

void TestFakeQuantize::fakequant_f2_floatZeroPoints()
{
    const quant::QParams floatPoints{test::floats({0.05F, 0.1F, 0.3F}), test::floats({0.25F, 3.5F, -2.1F})};
    compare(quant::fakeQuantizePerChannel(values12().reshaped({3, 4}), floatPoints, 0, -8, 7),
            {0.3375000059604645, 0.3375000059604645, -0.4124999940395355, -0.4124999940395355, 0.25, 0.3499999940395355,
             -0.949999988079071, -1.149999976158142, 0.029999973252415657, -1.4700000286102295, 0.9300000071525574,
             1.8300000429153442});
}

void TestFakeQuantize::keepsDtypeAndShape()
{
    for (const ir::DType dtype : {ir::DType::Float16, ir::DType::BFloat16, ir::DType::Float64}) {
        const auto out =
            quant::fakeQuantizePerTensor(test::floats({1.3F, -9}, {2, 1}).to(dtype), qparams({0.5F}, {0}), -8, 7);
        QVERIFY(out->dtype() == dtype);
        QCOMPARE(out->shape(), (ir::Shape{2, 1}));
        QCOMPARE(out->toDoubles(), (std::vector<double>{1.5, -4}));
    }
}

void TestFakeQuantize::refusesIntegers()
{
    const Tensor x = Tensor::zeros(ir::DType::Int64, {2});
    QCOMPARE(quant::fakeQuantizePerTensor(x, qparams({1}, {0}), 0, 1).error().sentence,
             std::string("\"fake_quantize_tensor_cachemask_kernel_type_handling\" not implemented for 'Long'"));
}

void TestFakeQuantize::refusesOtherChannels()
{
    const auto out = quant::fakeQuantizePerChannel(values12().reshaped({3, 4}), qparams({1, 1}, {0, 0}), 0, 0, 1);
    QCOMPARE(out.error().sentence,
             std::string("dimensions of scale and zero-point are not consistent with input tensor"));
}

void TestFakeQuantize::refusesZeroPointOutside()
{
    const auto out = quant::fakeQuantizePerChannel(test::floats({1, 2}, {2, 1}), qparams({1, 1}, {0, 9}), 0, -8, 7);
    QCOMPARE(out.error().sentence, std::string("`zero_point` must be between `quant_min` and `quant_max`."));
}

void TestFakeQuantize::refusesNegativeAxis()
{
    const auto out = quant::fakeQuantizePerChannel(test::floats({1, 2}, {1, 2}), qparams({1, 1}, {0, 0}), -1, -8, 7);
    QCOMPARE(out.error().sentence, std::string("`axis` must be between 0 and number of dimensions of input"));
}

void TestFakeQuantize::fakequant_f3_observesThenRounds()
{
    const auto module = test::made("FakeQuantize", {{"observer", "MinMaxObserver"}, {"dtype", ir::DType::UInt8}});
    const auto out = module->forward(test::floats(test::sequence(5)));
    compare(out,
            {0.4749176800251007, 0.7395146489143372, -0.9905425906181335, -0.5902548432350159, 0.10176807641983032});
    const quant::ObserverState state = module->state();
    QVERIFY(state.used->scale.at(0) == 0.006784538272768259);
    QVERIFY(state.used->zeroPoint.dtype() == ir::DType::Int32);
    QCOMPARE(state.used->zeroPoint.at(0), 146.0);
    QCOMPARE(std::string(module->inner()->typeName()), std::string("MinMaxObserver"));
}

void TestFakeQuantize::fakequant_f3_observerOff()
{
    const auto module = test::made("FakeQuantize", {{"observer", "MinMaxObserver"}});
    module->setObserverEnabled(false);
    compare(module->forward(test::floats({1, 4, 300})), {1, 4, 255}); // scale 1, zero point 0
    QCOMPARE(module->state().minVal->at(0), HUGE_VAL);
    QVERIFY(!module->observerEnabled());
}

void TestFakeQuantize::fakequant_f4_fakeQuantOff()
{
    const auto module = test::made("FakeQuantize", {{"observer", "MinMaxObserver"}});
    module->setFakeQuantEnabled(false);
    compare(module->forward(test::floats({0.123F, 4})), {static_cast<double>(0.123F), 4});
    QVERIFY(module->state().used->scale.at(0) == static_cast<double>(4.0F / 255.0F));
}

void TestFakeQuantize::nestedArgumentsComeBehind()
{
    const ir::Mapping args{{{"dtype", ir::DType::Int8}, {"quant_min", -127}, {"quant_max", 127}}};
    const ir::Mapping nested{{{"observer", "MinMaxObserver"}, {"args", ir::Argument(ir::Argument::Value(args))}}};
    const ir::Argument observer{ir::Argument::Value(nested)};
    QCOMPARE(*test::made("FakeQuantize", {{"observer", observer}})->settings().quantMin, std::int64_t{-127});
    const auto narrow = test::made("FakeQuantize", {{"observer", observer}, {"quant_min", -5}, {"quant_max", 5}});
    QCOMPARE(*narrow->settings().quantMin, std::int64_t{-5});
}

void TestFakeQuantize::copyHasItsOwnObserver()
{
    const auto module = test::made("FakeQuantize", {{"observer", "MinMaxObserver"}});
    const auto copy = module->copy();
    QVERIFY(copy->forward(test::floats({-50, 50})).ok());
    QCOMPARE(module->state().minVal->at(0), HUGE_VAL);
    QVERIFY(copy->inner() != module->inner());
}

void TestFakeQuantize::fixedUsesItsQParams()
{
    ir::FixedQParamsQuantizationSpec spec;
    spec.scale = 0.5;
    spec.quantMin = 0;
    spec.quantMax = 255;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    const auto module = *quant::makeObserver(spec, true);
    QCOMPARE(std::string(module->typeName()), std::string("FixedQParamsFakeQuantize"));
    compare(module->forward(test::floats({1.3F, -1, 500})), {1.5, 0, 127.5});
}

void TestFakeQuantize::fixedRefusesOtherObserver()
{
    QCOMPARE(test::refusal("FixedQParamsFakeQuantize", {{"observer", "MinMaxObserver"}}),
             std::string("AssertionError: FixedQParamsFakeQuantize's observer must be a FixedQParamsObserver"));
    QVERIFY(test::refusal("FixedQParamsFakeQuantize", {}).starts_with("TypeError"));
}

void TestFakeQuantize::refusesRangeOutsideOfDtype()
{
    QCOMPARE(test::refusal("FakeQuantize", {{"dtype", ir::DType::UInt8}, {"quant_min", 0}, {"quant_max", 256}}),
             std::string("AssertionError: quant_max out of bound"));
    QCOMPARE(test::refusal("FakeQuantize", {{"dtype", ir::DType::UInt8}, {"quant_min", -1}, {"quant_max", 5}}),
             std::string("AssertionError: quant_min out of bound"));
    QCOMPARE(test::refusal("FakeQuantize", {{"quant_min", 3}, {"quant_max", 2}}),
             std::string("AssertionError: quant_min must be less than or equal to quant_max"));
}

void TestFakeQuantize::refusesFakeQuantizeInside()
{
    QVERIFY(!test::made("FakeQuantize", {{"observer", "FakeQuantize"}}));
}

QTEST_APPLESS_MAIN(TestFakeQuantize)
#include "tst_fake_quantize.moc"
