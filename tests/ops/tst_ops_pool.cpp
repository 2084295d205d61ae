// pool: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cstring>
#include <limits>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("pool")

    void textForCeilModeIsATypeError()
    {
        GB_REFUSED(evaluate("aten.max_pool2d.default", {ones({1, 1, 4, 4}), two(2), two(2), two(0), two(1), "yes"}),
                   TypeError, "ceil_mode");
    }
    void absurdKernelIsRefused()
    {
        GB_REFUSED(evaluate("aten.max_pool2d.default", {ones({1, 1, 4, 4}), two(std::int64_t{1} << 40)}), RuntimeError,
                   "pool");
    }
    void absurdAdaptiveSizeIsRefused()
    {
        GB_REFUSED(evaluate("aten.adaptive_avg_pool2d.default", {ones({1, 1, 4, 4}), two(1 << 20)}), Shape, "elements");
    }
    void negativeAdaptiveSizeIsRefused()
    {
        GB_REFUSED(evaluate("aten.adaptive_avg_pool2d.default", {ones({1, 1, 4, 4}), two(-5)}), RuntimeError,
                   "output size");
    }
    void threeNumbersForTwoDimensionsAreRefused()
    {
        GB_REFUSED(evaluate("aten.avg_pool2d.default", {ones({1, 1, 4, 4}), ops::ValueList{2, 2, 2}}), RuntimeError,
                   "2 expected");
    }
    void averageOfIntegersIsRefused()
    {
        GB_REFUSED(evaluate("aten.avg_pool2d.default", {ones({1, 1, 4, 4}).to(DType::Int64), two(2)}), RuntimeError,
                   "floating point");
    }
    void maximumSeesValuesBelowZero()
    {
        const auto negative = evaluate("aten.neg.default", {ones({1, 1, 2, 2})});
        const auto out = evaluate("aten.max_pool2d.default", {*negative, two(2), two(2), two(1)});
        QVERIFY(out.ok());
        QCOMPARE(out->tensor()->toDoubles(), (std::vector<double>{-1, -1, -1, -1})); // padding is -inf, not 0
    }
    void maximaAreTheSameWithAndWithoutIndices_data()
    {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("padding");
        QTest::addColumn<int>("dilation");
        QTest::addColumn<bool>("ceil");
        QTest::newRow("plain") << 3 << 2 << 1 << 1 << false;
        QTest::newRow("rounded up") << 2 << 3 << 0 << 1 << true;
        QTest::newRow("dilated") << 3 << 1 << 1 << 3 << false;
        QTest::newRow("all") << 4 << 3 << 2 << 2 << true;
    }
    void maximaAreTheSameWithAndWithoutIndices()
    {
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, padding);
        QFETCH(int, dilation);
        QFETCH(bool, ceil);
        Tensor x = evaluate("aten.sin.default", {ops_test::ramp({2, 3, 13, 11})})->tensor()->clone();
        x.mutableData<float>()[40] = std::numeric_limits<float>::quiet_NaN();
        x.mutableData<float>()[50] = -std::numeric_limits<float>::infinity();
        const ops::ValueList args = {x, two(kernel), two(stride), two(padding), two(dilation), ceil};
        const auto values = evaluate("aten.max_pool2d.default", args);
        const auto both = evaluate("aten.max_pool2d_with_indices.default", args);
        QVERIFY(values.ok() && both.ok());
        const Tensor& plain = *values->tensor();
        const Tensor& indexed = *both->list()->at(0).tensor();
        QCOMPARE(plain.shape(), indexed.shape());
        QVERIFY(std::memcmp(plain.data<float>(), indexed.data<float>(),
                            sizeof(float) * static_cast<std::size_t>(plain.elementCount()))
                == 0);
    }

private:
    static Value two(std::int64_t value) { return ops::ValueList{value, value}; }
};

QTEST_GUILESS_MAIN(TestOpsPool)
#include "tst_ops_pool.moc"
