// reduce: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsReduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("reduce")

    void meanOfManyValuesIsExact()
    {
        const auto x = evaluate("aten.full.default", {ops::ValueList{3000000}, 0.1});
        const auto out = evaluate("aten.mean.default", {*x});
        QCOMPARE(static_cast<float>(out->tensor()->at(0)), 0.1F);
    }
    void dimensionOutOfRangeIsAnIndexError()
    {
        GB_REFUSED(evaluate("aten.sum.dim_IntList", {ones({2, 3}), ops::ValueList{2}}), IndexError,
                   "dimension 2, -2 to 1");
    }
    void largestOfNothingIsRefused()
    {
        GB_REFUSED(evaluate("aten.amax.default", {Tensor::zeros(DType::Float32, {2, 0}), ops::ValueList{1}}),
                   IndexError, "elements expected");
    }
    void negativeKIsRefused() { GB_REFUSED(evaluate("aten.topk.default", {ones({3}), -1}), RuntimeError, "k -1"); }
    void firstOfEqualsIsTaken()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{1, 5, 5, 2});
        QCOMPARE(evaluate("aten.argmax.default", {x})->tensor()->at(0), 1.0);
    }
    void sumsOfIntegersAreInt64()
    {
        const Tensor x = Tensor::fromVector(std::vector<std::int8_t>{127, 127});
        const auto out = evaluate("aten.sum.default", {x});
        QCOMPARE(out->tensor()->dtype(), DType::Int64);
        QCOMPARE(out->tensor()->at(0), 254.0);
    }
};

QTEST_GUILESS_MAIN(TestOpsReduce)
#include "tst_ops_reduce.moc"
