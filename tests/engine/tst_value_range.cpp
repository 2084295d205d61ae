// The range of a tensor as recordings tell it.
#include "engine/value_range.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gb;
using engine::rangeOf;
using engine::ValueRange;
using ir::Tensor;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

ValueRange of(const std::vector<float>& values)
{
    return rangeOf(Tensor::fromVector(values));
}

} // namespace

class TestValueRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesOutWhatIsNotFinite()
    {
        const ValueRange r = of({1.0F, -kInf, 3.0F, std::nanf(""), -2.5F, kInf});
        QCOMPARE(r.low, -2.5);
        QCOMPARE(r.high, 3.0);
        QCOMPARE(r.nonFinite, std::int64_t{3});
    }

    void nothingFiniteHasNoRange()
    {
        for (const ValueRange& r : {of({}), of({kInf, std::nanf("")})})
            QVERIFY(r.low > r.high);
        QCOMPARE(of({kInf, std::nanf("")}).nonFinite, std::int64_t{2});
    }

    void oneValueIsBothEnds()
    {
        const ValueRange r = of({-7.0F});
        QCOMPARE(r.low, -7.0);
        QCOMPARE(r.high, -7.0);
    }

    void stridesAreWalked()
    {
        const Tensor whole = Tensor::fromVector(std::vector<float>{1, 100, 2, 200, 3, 300}, {3, 2});
        const ValueRange r = rangeOf(whole.asStrided({3}, {2})); // the first column
        QCOMPARE(r.low, 1.0);
        QCOMPARE(r.high, 3.0);
    }

    void otherDtypesAreReadAsNumbers()
    {
        const ValueRange integers = rangeOf(Tensor::fromVector(std::vector<std::int64_t>{5, -9, 0}));
        QCOMPARE(integers.low, -9.0);
        QCOMPARE(integers.high, 5.0);
        const ValueRange doubles = rangeOf(Tensor::fromVector(std::vector<double>{0.5, std::nan("")}));
        QCOMPARE(doubles.high, 0.5);
        QCOMPARE(doubles.nonFinite, std::int64_t{1});
    }

    void unitesRanges()
    {
        ValueRange r = of({1.0F, 2.0F});
        r.unite(of({}));
        QCOMPARE(r.high, 2.0);
        r.unite(of({-1.0F, kInf}));
        QCOMPARE(r.low, -1.0);
        QCOMPARE(r.high, 2.0);
        QCOMPARE(r.nonFinite, std::int64_t{1});
        ValueRange empty = of({});
        empty.unite(of({4.0F}));
        QCOMPARE(empty.low, 4.0);
        QCOMPARE(empty.high, 4.0);
    }
};

QTEST_GUILESS_MAIN(TestValueRange)
#include "tst_value_range.moc"
