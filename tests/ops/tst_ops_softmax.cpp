// softmax: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsSoftmax : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("softmax")

    void rowsAddUpToOne()
    {
        const auto out = evaluate("aten.softmax.int", {ramp({3, 100}), 1});
        const auto sums = evaluate("aten.sum.dim_IntList", {*out, ops::ValueList{1}});
        for (int i = 0; i < 3; ++i)
            QVERIFY(std::fabs(sums->tensor()->at(i) - 1.0) < 1e-6);
    }
    void attentionWithDropoutIsNotComputed()
    {
        GB_REFUSED(evaluate("aten.scaled_dot_product_attention.default",
                            {ones({2, 3}), ones({2, 3}), ones({2, 3}), Value(), 0.1}),
                   NoKernel, "random");
    }
    void causalWithAMaskIsRefused()
    {
        GB_REFUSED(evaluate("aten.scaled_dot_product_attention.default",
                            {ones({2, 3}), ones({2, 3}), ones({2, 3}), ones({2, 2}), 0.0, true}),
                   RuntimeError, "one of them");
    }
    void aMaskedRowGivesZeros()
    {
        const Tensor mask = Tensor::zeros(DType::Bool, {2, 2});
        const auto out =
            evaluate("aten.scaled_dot_product_attention.default", {ones({2, 3}), ones({2, 3}), ones({2, 3}), mask});
        QVERIFY(out.ok());
        QCOMPARE(out->tensor()->toDoubles(), std::vector<double>(6, 0.0));
    }
    void dimensionOutOfRangeIsAnIndexError()
    {
        GB_REFUSED(evaluate("aten.softmax.int", {ones({2}), 1}), IndexError, "dimension 1");
    }
};

QTEST_GUILESS_MAIN(TestOpsSoftmax)
#include "tst_ops_softmax.moc"
