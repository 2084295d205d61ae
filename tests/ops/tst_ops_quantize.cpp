// quantize: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsQuantize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("quantize")

    void halvesRoundToEven()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{0.5F, 1.5F, 2.5F, -0.5F, -1.5F});
        const auto out =
            evaluate("quantized_decomposed.quantize_per_tensor.default", {x, 1.0, 0, -128, 127, DType::Int8});
        QCOMPARE(out->tensor()->toDoubles(), (std::vector<double>{0, 2, 2, 0, -2}));
    }
    void zeroScaleIsRefused()
    {
        GB_REFUSED(
            evaluate("quantized_decomposed.quantize_per_tensor.default", {ones({2}), 0.0, 0, -128, 127, DType::Int8}),
            RuntimeError, "scale 0");
    }
    void rangeBeyondTheDtypeIsAnAssertion()
    {
        GB_REFUSED(
            evaluate("quantized_decomposed.quantize_per_tensor.default", {ones({2}), 1.0, 0, -129, 127, DType::Int8}),
            AssertionError, "quant_min_lower_bound: -128 quant_min: -129");
    }
    void int64IsNoTarget()
    {
        GB_REFUSED(
            evaluate("quantized_decomposed.quantize_per_tensor.default", {ones({2}), 1.0, 0, 0, 127, DType::Int64}),
            ValueError, "torch.int64");
    }
    void doubleInputIsAnAssertion()
    {
        GB_REFUSED(evaluate("quantized_decomposed.quantize_per_tensor.default",
                            {ones({2}).to(DType::Float64), 1.0, 0, 0, 127, DType::UInt8}),
                   AssertionError, "torch.float64");
    }
    void wrongStoredDtypeIsAnAssertion()
    {
        GB_REFUSED(
            evaluate("quantized_decomposed.dequantize_per_tensor.default", {ones({2}), 1.0, 0, 0, 127, DType::UInt8}),
            AssertionError, "torch.float32");
    }
    void scalesThatDoNotFitAreRefused()
    {
        const Tensor zeros = Tensor::zeros(DType::Int64, {3});
        GB_REFUSED(evaluate("quantized_decomposed.quantize_per_channel.default",
                            {ones({2, 2}), ones({3}), zeros, 0, -128, 127, DType::Int8}),
                   RuntimeError, "one element a channel");
    }
    void missingDtypeIsATypeError()
    {
        GB_REFUSED(evaluate("quantized_decomposed.quantize_per_tensor.default", {ones({2}), 1.0, 0, 0, 127}), TypeError,
                   "dtype");
    }
    void rangeWithoutZeroIsAnAssertion()
    {
        GB_REFUSED(evaluate("quantized_decomposed.choose_qparams.tensor", {ones({2}), 1, 255, 1e-5, DType::UInt8}),
                   AssertionError, "must include 0");
    }
    void qparamsOfNothingAreRefused()
    {
        GB_REFUSED(evaluate("quantized_decomposed.choose_qparams.tensor",
                            {Tensor::zeros(DType::Float32, {0}), 0, 255, 1e-5, DType::UInt8}),
                   RuntimeError, "elements expected");
    }
    void quantizeThenDequantizeStaysWithinHalfAStep()
    {
        const Tensor x = ramp({50});
        const auto codes =
            evaluate("quantized_decomposed.quantize_per_tensor.default", {x, 0.5, 0, 0, 255, DType::UInt8});
        const auto back =
            evaluate("quantized_decomposed.dequantize_per_tensor.default", {*codes, 0.5, 0, 0, 255, DType::UInt8});
        for (int i = 0; i < 50; ++i)
            QVERIFY(std::fabs(back->tensor()->at(i) - x.at(i)) <= 0.25);
    }
};

QTEST_GUILESS_MAIN(TestOpsQuantize)
#include "tst_ops_quantize.moc"
