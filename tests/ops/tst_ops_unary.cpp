// unary: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsUnary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("unary")

    void bitsOfFloatsAreRefused()
    {
        GB_REFUSED(evaluate("aten.bitwise_not.default", {ones({2})}), RuntimeError, "integers or bool");
    }
    void float8IsRefused()
    {
        GB_REFUSED(evaluate("aten.exp.default", {Tensor::zeros(DType::Float8E4M3FN, {2})}), RuntimeError, "real dtype");
    }
    void listIsATypeError()
    {
        GB_REFUSED(evaluate("aten.exp.default", {ops::ValueList{ones({2})}}), TypeError, "argument 'self': list of 1");
    }
    void emptyTensorsAreFine()
    {
        const auto out = evaluate("aten.exp.default", {Tensor::zeros(DType::Float32, {0, 3})});
        QCOMPARE(out->tensor()->shape(), (ir::Shape{0, 3}));
    }
    void everyRowHasAFamilyAndNames()
    {
        for (const auto& [target, entry] : ops_test::table()->entries()) {
            QVERIFY2(!entry.family.empty() && entry.row.run, target.c_str());
            QVERIFY2(!entry.row.arguments.empty(), target.c_str());
        }
    }
    void inPlaceOpsAreKnownAsSuch()
    {
        QCOMPARE(ops::mutatedArguments("aten.add_.Tensor"), 1U);
        QCOMPARE(ops::mutatedArguments("aten.__and__.Tensor"), 0U);
        QCOMPARE(ops::mutatedArguments("aten.add.Tensor"), 0U);
        QCOMPARE(ops::mutatedArguments("aten.batch_norm.default"), 0b11000U);
        for (const auto& [target, entry] : ops_test::table()->entries())
            if (entry.row.alias == ops::Alias::InPlace)
                QCOMPARE(ops::mutatedArguments(target), 1U);
    }
};

QTEST_GUILESS_MAIN(TestOpsUnary)
#include "tst_ops_unary.moc"
