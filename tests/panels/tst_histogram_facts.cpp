#include "observer_case.h"
#include "plots/histogram_facts.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

quant::ObserverSettings int8Settings(ir::QScheme scheme = ir::QScheme::PerTensorAffine)
{
    quant::ObserverSettings s;
    s.dtype = ir::DType::Int8;
    s.dtypeName = "int8";
    s.qscheme = scheme;
    s.quantMin = -128;
    s.quantMax = 127;
    s.eps = 1.1920928955078125e-07;
    return s;
}

quant::ObserverState stateOf(float min, float max, float scale, std::int64_t zeroPoint)
{
    quant::ObserverState s;
    s.minVal = ir::Tensor::scalar(min);
    s.maxVal = ir::Tensor::scalar(max);
    s.qparams = quant::QParams{ir::Tensor::fromVector(std::vector<float>{scale}),
                               ir::Tensor::fromVector(std::vector<std::int64_t>{zeroPoint})};
    s.batches = 1;
    return s;
}

bool isFakeQuantize(const test::ObserverCase& c)
{
    return c.type.find("FakeQuantize") != std::string::npos;
}

} // namespace

class HistogramFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formulasGiveTorchaosOwnQParams()
    {
        int compared = 0;
        for (const test::ObserverCase& c : test::observerCases()) {
            if (c.raises || isFakeQuantize(c))
                continue;
            const std::int64_t channels = histogramFacts(c.type, c.settings, c.state).channels;
            for (std::int64_t channel = 0; channel < channels; ++channel) {
                const HistogramFacts f = histogramFacts(c.type, c.settings, c.state, channel);
                if (!f.hasData)
                    continue;
                QVERIFY(f.formula.kind != Formula::Kind::None);
                QVERIFY(f.formula.scale == *f.scale); // to the last bit, so not QCOMPARE
                QVERIFY(f.formula.zeroPoint == *f.zeroPoint);
                ++compared;
            }
        }
        QVERIFY2(compared > 600, qPrintable(QString::number(compared)));
    }

    void rangesOfARealHistogramAreTorchaos()
    {
        // case 63: three normal batches, int8 affine; numbers from torchao
        const test::ObserverCase c = test::observerCases().at(63);
        const HistogramFacts f = histogramFacts(c.type, c.settings, c.state);
        QCOMPARE(f.kind, ObserverKind::Histogram);
        QCOMPARE(f.observed->min, -11.606520652770996);
        QCOMPARE(f.observed->max, 8.807808876037598);
        QCOMPARE(f.representable->min, (-128 - 17) * 0.0800171047449112);
        QCOMPARE(f.representable->max, (127 - 17) * 0.0800171047449112);
        QVERIFY(f.chosen->min >= f.observed->min && f.chosen->max <= f.observed->max);
        QCOMPARE(f.counts.size(), std::size_t(2048));
        QCOMPARE(f.levels, 256);
        QVERIFY(*f.levelsUsed <= 256 && *f.levelsUsed > 250);
    }

    void clippedShareIsWhatTorchClamps_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<double>("left"); // share of the input values that round(x / scale) + zero_point clamps
        QTest::addColumn<double>("right");
        QTest::newRow("positive, symmetric") << 152 << 0.0 << 0.002;
        QTest::newRow("infinite values left out") << 166 << 0.0 << 0.01;
        QTest::newRow("256 bins") << 505 << 0.0 << 0.001;
        QTest::newRow("negative on an unsigned dtype") << 319 << 0.001 << 0.0;
        QTest::newRow("nothing clipped") << 63 << 0.0 << 0.0;
    }
    void clippedShareIsWhatTorchClamps()
    {
        QFETCH(int, index);
        QFETCH(double, left);
        QFETCH(double, right);
        const test::ObserverCase c = test::observerCases().at(static_cast<std::size_t>(index));
        const HistogramFacts f = histogramFacts(c.type, c.settings, c.state);
        // inside the bin that the limit cuts, values are not known: one part in a thousand
        QVERIFY2(std::abs(*f.clippedLeft / f.total - left) < 0.001,
                 qPrintable(QString::number(*f.clippedLeft / f.total)));
        QVERIFY2(std::abs(*f.clippedRight / f.total - right) < 0.001,
                 qPrintable(QString::number(*f.clippedRight / f.total)));
    }

    void aBinCutByTheLimitIsSharedOut()
    {
        quant::ObserverSettings s = int8Settings();
        s.quantMin = 0;
        s.quantMax = 3;
        s.bins = 4;
        quant::ObserverState state = stateOf(0, 8, 1, 0); // levels 0..3, limits -0.5 and 3.5; bins of 2
        state.histogram = ir::Tensor::fromVector(std::vector<float>{10, 20, 30, 40});
        const HistogramFacts f = histogramFacts("HistogramObserver", s, state);
        QCOMPARE(f.unclipped()->max, 3.5);
        QCOMPARE(*f.clippedLeft, 0.0);
        QCOMPARE(*f.clippedRight, 20 * 0.25 + 30 + 40);
        QCOMPARE(f.total, 100.0);
        QCOMPARE(*f.levelsUsed, 4);
        QCOMPARE(*f.binOf(8.0), std::size_t(3)); // the last bin is closed
        QCOMPARE(*f.binOf(2.0), std::size_t(1));
        QVERIFY(!f.binOf(8.1));
    }

    void levelsRoundToEvenAndClamp()
    {
        const HistogramFacts f = histogramFacts("MinMaxObserver", int8Settings(), stateOf(-1, 1, 0.5F, 10));
        QCOMPARE(*f.level(0.25), 10); // 0.5 of a level: to even
        QCOMPARE(*f.level(0.75), 12); // 1.5: to even
        QCOMPARE(*f.level(1e6), 127);
        QCOMPARE(*f.level(-1e6), -128);
        QCOMPARE(*f.dequantized(12), 1.0);
    }

    void withoutDataQParamsAreDefaults()
    {
        quant::ObserverState untouched =
            stateOf(std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), 1, 0);
        const HistogramFacts f = histogramFacts("MinMaxObserver", int8Settings(), untouched);
        QVERIFY(!f.hasData);
        QVERIFY(f.has(Notice::NoData));
        QVERIFY(!f.observed && !f.representable && !f.levelsUsed);
        QVERIFY(histogramFacts("HistogramObserver", int8Settings(), {}).has(Notice::NoData));
        QVERIFY(histogramFacts("PerChannelMinMaxObserver", int8Settings(), {}).has(Notice::NoData));
    }

    void aNarrowRangeIsFlooredAtEps()
    {
        quant::ObserverSettings s = int8Settings();
        s.eps = 0.000244140625; // 2^-12
        const HistogramFacts f = histogramFacts("MinMaxObserver", s, stateOf(0, 1e-6F, 0.000244140625F, -128));
        QVERIFY(f.has(Notice::FlooredAtEps));
        QCOMPARE(f.formula.scale, 0.000244140625);
        QVERIFY(f.formula.raw < f.formula.scale);
        QCOMPARE(f.formula.zeroPoint, -128.0);
    }

    void aRangeWithoutZeroIsWidened()
    {
        const HistogramFacts f = histogramFacts("MinMaxObserver", int8Settings(), stateOf(2, 5.1F, 0.02F, -128));
        QVERIFY(f.has(Notice::WidenedToZero));
        QCOMPARE(f.covered->min, 0.0);
        QCOMPARE(f.chosen->min, 2.0);
    }

    void aConstantTensorIsOneBin()
    {
        quant::ObserverState state = stateOf(3, 3, 3.0F / 255, -128);
        std::vector<float> bins(16, 0.0F);
        bins[8] = 5; // torch spreads a made-up range around the one value
        state.histogram = ir::Tensor::fromVector(bins);
        quant::ObserverSettings s = int8Settings();
        s.bins = 16;
        const HistogramFacts f = histogramFacts("HistogramObserver", s, state);
        QVERIFY(f.has(Notice::ConstantTensor));
        QCOMPARE(f.counts, std::vector<double>{5});
        QCOMPARE(*f.binOf(3.0), std::size_t(0));
        QCOMPARE(*f.levelsUsed, 1);
    }

    void symmetricSchemesLeaveLevelsUnused()
    {
        const HistogramFacts f = histogramFacts("MinMaxObserver", int8Settings(ir::QScheme::PerTensorSymmetric),
                                                stateOf(-1, 4, 4.0F / 127.5F, 0));
        QVERIFY(f.has(Notice::UnusedLevels));
        QCOMPARE(f.covered->min, -4.0);
        QCOMPARE(f.formula.divisor, 127.5);
    }

    void kindsWithoutARangeAreTold()
    {
        quant::ObserverSettings dynamic = int8Settings();
        dynamic.isDynamic = true;
        QCOMPARE(histogramFacts("PlaceholderObserver", dynamic, {}).kind, ObserverKind::Dynamic);
        quant::ObserverState fixed;
        fixed.qparams = quant::QParams{ir::Tensor::fromVector(std::vector<float>{1.0F / 256}),
                                       ir::Tensor::fromVector(std::vector<std::int64_t>{-128})};
        const HistogramFacts f = histogramFacts("FixedQParamsObserver", int8Settings(), fixed);
        QCOMPARE(f.kind, ObserverKind::Fixed);
        QCOMPARE(*f.representable, (ValueRange{0, 255.0 / 256}));
        QVERIFY(!f.has(Notice::NoData));
        QCOMPARE(histogramFacts("DerivedObserverOrFakeQuantize", int8Settings(), fixed).kind, ObserverKind::Derived);
        quant::ObserverSettings half;
        half.dtype = ir::DType::Float16;
        half.hasQScheme = false;
        QCOMPARE(histogramFacts("PlaceholderObserver", half, {}).kind, ObserverKind::Passive);
        QCOMPARE(histogramFacts("PlaceholderObserver", half, {}).levels, 0);
    }

    void refusedQParamsKeepTorchaosSentence()
    {
        for (const test::ObserverCase& c : test::observerCases()) {
            if (!c.raises)
                continue;
            const HistogramFacts f = histogramFacts(c.type, c.settings, c.state);
            QVERIFY(f.has(Notice::NoQParams));
            QCOMPARE(f.noQParams, c.state.noQParams);
            QVERIFY(!f.representable);
        }
    }

    void brokenStatesGiveNoRange()
    {
        // what a stranger's recording may say
        quant::ObserverState state = stateOf(5, -5, 0, 0);
        state.histogram = ir::Tensor::fromVector(std::vector<float>{-1, std::numeric_limits<float>::quiet_NaN()});
        const HistogramFacts crossed = histogramFacts("HistogramObserver", int8Settings(), state);
        QVERIFY(!crossed.observed && !crossed.representable);
        quant::ObserverSettings wide = int8Settings();
        wide.quantMin = std::numeric_limits<std::int64_t>::min();
        wide.quantMax = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(histogramFacts("MinMaxObserver", wide, stateOf(-1, 1, 1, 0)).levels, 0);
        quant::ObserverState lopsided = stateOf(0, 1, 1, 0);
        lopsided.maxVal = ir::Tensor();
        QVERIFY(!histogramFacts("PerChannelMinMaxObserver", int8Settings(), lopsided, 7).observed);
        quant::ObserverState many = stateOf(0, 1, 1.0F / 255, -128);
        many.histogram = ir::Tensor::zeros(ir::DType::Float32, {kMostSearchedBins + 1});
        const HistogramFacts unsearched = histogramFacts("HistogramObserver", int8Settings(), many);
        QVERIFY(unsearched.has(Notice::NotSearched));
        QVERIFY(!unsearched.chosen && unsearched.representable);
    }

    void aChannelOutOfRangeIsTheLastOne()
    {
        quant::ObserverState state;
        state.minVal = ir::Tensor::fromVector(std::vector<float>{-1, -2, -3});
        state.maxVal = ir::Tensor::fromVector(std::vector<float>{1, 2, 3});
        const HistogramFacts f =
            histogramFacts("PerChannelMinMaxObserver", int8Settings(ir::QScheme::PerChannelSymmetric), state, 99);
        QCOMPARE(f.channel, 2);
        QCOMPARE(f.channels, 3);
        QCOMPARE(f.observed->max, 3.0);
    }
};

QTEST_GUILESS_MAIN(HistogramFactsTest)
#include "tst_histogram_facts.moc"
