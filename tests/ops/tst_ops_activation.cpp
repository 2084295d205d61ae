// activation: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsActivation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("activation")

    void dropoutInTrainingIsNotComputed()
    {
        GB_REFUSED(evaluate("aten.dropout.default", {ones({3}), 0.5, true}), NoKernel, "random");
    }
    void dropoutOfNothingIsTheTensor()
    {
        const Tensor x = ones({3});
        const auto out = evaluate("aten.dropout.default", {x, 0.0, true});
        QVERIFY(out.ok());
        QVERIFY(out->tensor()->sharesStorage(x));
    }
    void unknownApproximationIsRefused()
    {
        GB_REFUSED(evaluate("aten.gelu.default", {ones({3}), "erf"}), RuntimeError, "'none' or 'tanh'");
    }
    void unknownKeywordIsATypeError()
    {
        GB_REFUSED(evaluate("aten.relu.default", {ones({3})}, {{"slope", 0.1}}), TypeError, "unknown argument 'slope'");
    }
    void tooManyArgumentsAreATypeError()
    {
        GB_REFUSED(evaluate("aten.relu.default", {ones({3}), 1, 2}), TypeError, "3 arguments, at most 1");
    }
    void anArgumentGivenTwiceIsATypeError()
    {
        GB_REFUSED(evaluate("aten.hardtanh.default", {ones({3}), 0.0}, {{"min_val", 1.0}}), TypeError, "given twice");
    }
    void complexIsRefused()
    {
        GB_REFUSED(evaluate("aten.relu.default", {Tensor::zeros(DType::Complex64, {3})}), RuntimeError, "real dtype");
    }
    void inPlaceChangesAView()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{-1, -2, 3, -4}, {2, 2});
        const auto row = evaluate("aten.select.int", {x, 0, 1});
        QVERIFY(evaluate("aten.relu_.default", {*row}).ok());
        QCOMPARE(x.toDoubles(), (std::vector<double>{-1, -2, 3, 0}));
    }
    void outOfPlaceLeavesTheInput()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{-1, 2});
        QVERIFY(evaluate("aten.clamp.default", {x, -5.0, 5.0}).ok());
        const auto out = evaluate("aten.clamp.default", {x, -5.0, 5.0});
        QVERIFY(!out->tensor()->sharesStorage(x));
    }
};

QTEST_GUILESS_MAIN(TestOpsActivation)
#include "tst_ops_activation.moc"
