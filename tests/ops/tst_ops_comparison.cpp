// comparison: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("comparison")

    void conditionOfFloatsIsRefused()
    {
        GB_REFUSED(evaluate("aten.where.self", {ones({2}), ones({2}), ones({2})}), RuntimeError, "bool expected");
    }
    void maskThatDoesNotFitIsRefused()
    {
        GB_REFUSED(evaluate("aten.masked_fill.Scalar", {ones({2, 3}), ones({2, 2}).to(DType::Bool), 0}), RuntimeError,
                   "broadcast");
    }
    void largeIntegersAreComparedExactly()
    {
        const Tensor a = Tensor::fromVector(std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1});
        const auto out = evaluate("aten.eq.Scalar", {a, std::int64_t{1} << 53});
        QCOMPARE(out->tensor()->at(0), 0.0);
    }
    void resultIsBool()
    {
        QCOMPARE(evaluate("aten.lt.Tensor", {ones({2}), ones({2})})->tensor()->dtype(), DType::Bool);
        QCOMPARE(evaluate("aten.logical_and.default", {ones({2}), ones({2})})->tensor()->dtype(), DType::Bool);
    }
};

QTEST_GUILESS_MAIN(TestOpsComparison)
#include "tst_ops_comparison.moc"
