// A histogram's story can be told again from its states: the search needs no observer, and its moves make sense.
#include "quant/histogram_observer.h"
#include "quant/qparams.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestHistogramReplay : public QObject {
    Q_OBJECT

private slots:
    void stateGivesTheSameQParams_data();
    void stateGivesTheSameQParams();
    void movesNarrowTheRange();
    void errorsFallUntilTheEnd();
    void wideningKeepsTheTotal();
    void qparamsOfEachBatchAreThoseOfItsState();
};

namespace {

/// Values with a heavy tail, so that the search has something to cut off.
Tensor tailed(std::size_t count, float factor, std::uint32_t seed)
{
    std::vector<float> values = test::sequence(count, seed);
    for (float& value : values)
        value = factor * value * value * value * value * value * value * value;
    return test::floats(values);
}

std::shared_ptr<quant::Observer> histogramObserver(const char* dtype, std::int64_t bins)
{
    return test::made("HistogramObserver", {{"dtype", dtype}, {"bins", bins}});
}

/// What a reader of a recording has: the state, and the settings.
quant::HistogramView viewOf(const quant::ObserverState& state, double levels)
{
    return {{state.histogram->data<float>(), static_cast<std::size_t>(state.histogram->elementCount())},
            *state.minVal->data<float>(),
            *state.maxVal->data<float>(),
            levels};
}

double total(const quant::ObserverState& state)
{
    double sum = 0;
    for (const double count : state.histogram->toDoubles())
        sum += count;
    return sum;
}

} // namespace

void TestHistogramReplay::stateGivesTheSameQParams_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<int>("bins");
    QTest::addColumn<double>("levels");
    QTest::newRow("int8") << QStringLiteral("int8") << 2048 << 256.0;
    QTest::newRow("uint8, few bins") << QStringLiteral("uint8") << 33 << 256.0;
    QTest::newRow("int16") << QStringLiteral("int16") << 500 << 65536.0;
    QTest::newRow("int32") << QStringLiteral("int32") << 100 << 4294967296.0;
}

void TestHistogramReplay::stateGivesTheSameQParams()
{
    QFETCH(const QString, dtype);
    QFETCH(const int, bins);
    QFETCH(const double, levels);
    const auto observer = histogramObserver(qPrintable(dtype), bins);
    QVERIFY(observer->forward(tailed(3000, 1, 1)).ok());
    QVERIFY(observer->forward(tailed(3000, 5, 2)).ok());
    const quant::ObserverState state = observer->state();
    const quant::SearchResult chosen = quant::searchRange(viewOf(state, levels));
    const auto& config = dynamic_cast<const quant::HistogramObserver&>(*observer).config();
    const auto qparams = quant::calculateQParams(config, Tensor::scalar(chosen.min), Tensor::scalar(chosen.max));
    QCOMPARE(qparams->scale.toDoubles(), state.qparams->scale.toDoubles());
    QCOMPARE(qparams->zeroPoint.toDoubles(), state.qparams->zeroPoint.toDoubles());
}

void TestHistogramReplay::movesNarrowTheRange()
{
    const auto observer = histogramObserver("int8", 256);
    QVERIFY(observer->forward(tailed(5000, 3, 3)).ok());
    std::vector<quant::SearchMove> moves;
    const quant::ObserverState state = observer->state();
    const quant::SearchResult chosen = quant::searchRange(viewOf(state, 256), &moves);
    QVERIFY(!moves.empty());
    std::int64_t start = 0;
    std::int64_t end = 255;
    for (const quant::SearchMove& move : moves) {
        const bool oneEnd =
            (move.startBin > start && move.endBin == end) || (move.startBin == start && move.endBin < end);
        QVERIFY(oneEnd);
        if (move.kept) {
            start = move.startBin;
            end = move.endBin;
        }
    }
    QCOMPARE(chosen.startBin, start);
    QCOMPARE(chosen.endBin, end);
}

void TestHistogramReplay::errorsFallUntilTheEnd()
{
    const auto observer = histogramObserver("int8", 256);
    QVERIFY(observer->forward(tailed(5000, 3, 4)).ok());
    std::vector<quant::SearchMove> moves;
    const quant::ObserverState state = observer->state();
    quant::searchRange(viewOf(state, 256), &moves);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        QCOMPARE(moves[i].kept, !(moves[i].norm > least));
        QVERIFY(moves[i].kept || i + 1 == moves.size());
        QVERIFY(moves[i].norm == quant::quantizationError(viewOf(state, 256), moves[i].startBin, moves[i].endBin));
        least = moves[i].norm;
    }
}

void TestHistogramReplay::wideningKeepsTheTotal()
{
    const auto observer = histogramObserver("int8", 512);
    double seen = 0;
    for (std::uint32_t batch = 1; batch <= 6; ++batch) {
        QVERIFY(observer->forward(tailed(1024, static_cast<float>(batch), batch)).ok());
        seen += 1024;
        // parts of parts are rounded to float32, so a few widenings lose a little
        QVERIFY(std::abs(total(observer->state()) - seen) < 1e-5 * seen);
    }
}

void TestHistogramReplay::qparamsOfEachBatchAreThoseOfItsState()
{
    const auto observer = histogramObserver("int8", 64);
    std::vector<double> scales;
    for (std::uint32_t batch = 1; batch <= 4; ++batch) {
        QVERIFY(observer->forward(tailed(500, static_cast<float>(batch * batch), batch)).ok());
        scales.push_back(observer->state().qparams->scale.at(0));
        QCOMPARE(observer->calculateQParams()->scale.at(0), scales.back());
    }
    QVERIFY(scales.front() != scales.back());
}

QTEST_APPLESS_MAIN(TestHistogramReplay)
#include "tst_histogram_replay.moc"
