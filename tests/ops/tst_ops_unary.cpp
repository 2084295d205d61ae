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
        GB_REFUSED(evaluate("aten.bitwise_not.default", {ones({2})}), NotImplementedError, "integers or bool");
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
};

QTEST_GUILESS_MAIN(TestOpsUnary)
#include "tst_ops_unary.moc"
