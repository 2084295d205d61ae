// cumsum, cummax, diff: the calls recorded from torch, and what they have in common.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsScan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("scan")

    void diffUndoesCumsum()
    {
        const Tensor x = ramp({3, 6});
        const auto sums = evaluate("aten.cumsum.default", {x, 1});
        QVERIFY(sums.ok());
        const auto steps = evaluate("aten.diff.default", {*sums, 1, 1, Tensor::zeros(ir::DType::Float32, {3, 1})});
        QVERIFY(steps.ok());
        for (int i = 0; i < 18; ++i)
            QVERIFY(std::fabs(steps->tensor()->at(i) - x.at(i)) < 1e-4);
    }
    void aNegativeNumberOfTimesIsRefused()
    {
        GB_REFUSED(evaluate("aten.diff.default", {ones({3}), -1}), RuntimeError, "0 or more");
    }
};

QTEST_GUILESS_MAIN(TestOpsScan)
#include "tst_ops_scan.moc"
