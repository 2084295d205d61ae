#include "numbers/measure.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gb;
using ir::Tensor;
using numbers::ChannelGaps;
using numbers::Gap;

class TestMeasure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sqnrAndCosineAreTorchs()
    {
        // torchao.quantization.utils.compute_error and F.cosine_similarity of these values in float64
        const Gap gap = numbers::gapBetween(Tensor::fromVector(std::vector<float>{1.0F, -2.0F, 3.0F, 0.5F}),
                                            Tensor::fromVector(std::vector<float>{1.5F, -2.0F, 2.75F, 0.0F}));
        QVERIFY(std::fabs(*gap.sqnr() - 14.03692337561129) < 1e-12);
        QVERIFY(std::fabs(*gap.cosine() - 0.9800745695020108) < 1e-12);
        QCOMPARE(gap.largest, 0.5);
        QCOMPARE(gap.count, std::int64_t(4));
    }

    void equalValuesHaveNoNoise()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{1.0F, std::numeric_limits<float>::infinity()});
        const Gap gap = numbers::gapBetween(x, x);
        QVERIFY(gap.equal());
        QVERIFY(std::isinf(*gap.sqnr()));
    }

    void nothingHasNoSqnr()
    {
        const Tensor zeros = Tensor::zeros(ir::DType::Float32, {3});
        QVERIFY(!numbers::gapBetween(zeros, zeros).sqnr());
        QVERIFY(!numbers::gapBetween(zeros, zeros).cosine());
    }

    void aNumberAgainstNoneIsInfinitelyFar()
    {
        Gap gap;
        gap.add(std::numeric_limits<double>::quiet_NaN(), 1);
        QVERIFY(std::isinf(gap.largest));
    }

    void otherShapesAreNotMeasured()
    {
        ChannelGaps gaps;
        QVERIFY(!gaps.add(Tensor::zeros(ir::DType::Float32, {2, 3}), Tensor::zeros(ir::DType::Float32, {3, 2})));
        QCOMPARE(gaps.all().count, std::int64_t(0));
    }

    /// A channel of large values hides what became of the others in the figure over all, not in the typical one.
    void aLoudChannelDoesNotHideTheOthers()
    {
        ChannelGaps gaps;
        QVERIFY(gaps.add(Tensor::fromVector(std::vector<float>{100, 100, 1, 1, 1, 1}, {1, 3, 2}),
                         Tensor::fromVector(std::vector<float>{100, 100, 0, 0, 0, 0}, {1, 3, 2})));
        QVERIFY(*gaps.all().sqnr() > 36);
        QCOMPARE(*gaps.typicalSqnr(), 0.0);
        QCOMPARE(gaps.worstChannel(), std::int64_t(1));
    }

    void batchesAddUp()
    {
        ChannelGaps gaps;
        const Tensor a = Tensor::fromVector(std::vector<float>{1, 2}, {1, 2});
        const Tensor b = Tensor::fromVector(std::vector<float>{1, 1}, {1, 2});
        QVERIFY(gaps.add(a, b));
        QVERIFY(gaps.add(a, b));
        QCOMPARE(gaps.all().noise, 2.0);
        QCOMPARE(gaps.channels().size(), std::size_t(2));
        QCOMPARE(gaps.channels()[1].noise, 2.0);
        QVERIFY(std::isinf(*gaps.channels()[0].sqnr()));
    }
};

QTEST_GUILESS_MAIN(TestMeasure)
#include "tst_measure.moc"
