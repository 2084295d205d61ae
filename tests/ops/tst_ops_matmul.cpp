// matmul: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsMatmul : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("matmul")

    void oneRowAndManyRowsAgree()
    {
        const Tensor x = ramp({8, 200});
        const Tensor w = ramp({30, 200});
        const auto all = evaluate("aten.linear.default", {x, w});
        QVERIFY(all.ok());
        const auto first = evaluate("aten.linear.default", {x.asStrided({1, 200}, {200, 1}), w});
        QVERIFY(first.ok());
        for (int j = 0; j < 30; ++j)
            QVERIFY(std::fabs(first->tensor()->at(j) - all->tensor()->at(j)) <= 1e-5 * all->tensor()->at(j));
    }
    void aStackTooLargeIsRefused()
    {
        const Tensor a = ones({1, 1, 1}).asStrided({1 << 20, 1 << 10, 1}, {0, 0, 1});
        const Tensor b = ones({1, 1, 1}).asStrided({1 << 20, 1, 1 << 10}, {0, 0, 0});
        GB_REFUSED(evaluate("aten.matmul.default", {a, b}), Shape, "elements");
    }
    void biasOfTheWrongSizeIsRefused()
    {
        GB_REFUSED(evaluate("aten.linear.default", {ones({2, 3}), ones({4, 3}), ones({5})}), RuntimeError, "");
    }
    void biasThatWidensTheResultIsRefused()
    {
        GB_REFUSED(evaluate("aten.linear.default", {ones({2, 3}), ones({4, 3}), ones({7, 2, 4})}), RuntimeError,
                   "bias");
    }
    void numberForAMatrixIsATypeError()
    {
        GB_REFUSED(evaluate("aten.mm.default", {ones({2, 3}), 3}), TypeError, "argument 'mat2': int 3");
    }
    void aHalfLinearIsRoundedOnce()
    {
        const auto bf16 = [](std::vector<float> values, ir::Shape shape) {
            return Tensor::fromVector(values, std::move(shape)).to(ir::DType::BFloat16);
        };
        // the product alone, 1 + 2^-8, would be rounded to 1; with the bias it is nearer to the next number
        const auto out = evaluate("aten.linear.default", {bf16({1.0F, 1.0F}, {1, 2}), bf16({1.0F, 0.00390625F}, {1, 2}),
                                                          bf16({0.001953125F}, {1})});
        QVERIFY(out.ok());
        QCOMPARE(out->tensor()->at(0), 1.0078125);
    }
};

QTEST_GUILESS_MAIN(TestOpsMatmul)
#include "tst_ops_matmul.moc"
