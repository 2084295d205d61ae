// The search over a histogram, and its moves. The wanted figures are torchao's own.
#include "quant/histogram_observer.h"
#include "values.h"

#include <QtTest>

using namespace gb;

class TestHistogramSearch : public QObject {
    Q_OBJECT

private slots:
    void init();
    void histogram_s8_choosesTorchaosRange();
    void histogram_s8_reportsEachMove();
    void histogram_s9_errorIsTorchaos();
    void histogram_s9_noWidthIsNoError();
    void histogram_s9_emptyBinsMayOverflow();
    void manyLevelsUseTheLiteralDivision();
    void sameWithAndWithoutMoves();
    void oneBin();

private:
    std::vector<float> m_counts;
    quant::HistogramView m_view;
};

void TestHistogramSearch::init()
{
    // HistogramObserver(bins=64) over sequence(300) ** 5
    m_counts = {3,  1, 1, 1, 1, 0, 1, 0, 1,  0, 2, 0, 1, 1, 2, 4, 0, 1, 3, 2, 3, 3, 2, 5, 2, 4, 2, 8, 6, 7, 16, 117,
                19, 5, 8, 7, 5, 5, 4, 4, 10, 1, 1, 2, 2, 2, 0, 5, 1, 3, 0, 2, 1, 0, 1, 0, 1, 3, 1, 1, 2, 2, 1,  1};
    m_view = {m_counts, static_cast<float>(-0.9851188063621521), static_cast<float>(0.9969043731689453), 256};
}

void TestHistogramSearch::histogram_s8_choosesTorchaosRange()
{
    const quant::SearchResult chosen = quant::searchRange(m_view);
    QVERIFY(chosen.min == static_cast<float>(-0.9851188063621521));
    QVERIFY(chosen.max == static_cast<float>(0.9659352898597717));
    QCOMPARE(chosen.startBin, std::int64_t{0});
    QCOMPARE(chosen.endBin, std::int64_t{62});
}

void TestHistogramSearch::histogram_s8_reportsEachMove()
{
    std::vector<quant::SearchMove> moves;
    quant::searchRange(m_view, &moves);
    QCOMPARE(moves.size(), std::size_t{2});
    QCOMPARE(moves[0].endBin, std::int64_t{62});
    QVERIFY(moves[0].kept);
    QVERIFY(moves[0].norm == 0.0019181333482265472);
    QCOMPARE(moves[1].endBin, std::int64_t{61});
    QVERIFY(!moves[1].kept);
    QVERIFY(moves[1].norm == 0.00447071110829711);
    QVERIFY(moves[0].beta < 1 && moves[0].beta > moves[1].beta && moves[1].alpha == 0);
}

void TestHistogramSearch::histogram_s9_errorIsTorchaos()
{
    QVERIFY(quant::quantizationError(m_view, 0, 62) == 0.0019181333482265472);
    QVERIFY(quant::quantizationError(m_view, 0, 61) == 0.00447071110829711);
}

void TestHistogramSearch::histogram_s9_noWidthIsNoError()
{
    m_view.max = m_view.min;
    QCOMPARE(quant::quantizationError(m_view, 0, 10), 0.0);
    const quant::SearchResult chosen = quant::searchRange(m_view);
    QCOMPARE(chosen.min, m_view.min);
    QCOMPARE(chosen.max, m_view.min);
}

void TestHistogramSearch::histogram_s9_emptyBinsMayOverflow()
{
    m_view.min = -1e30F; // cubes overflow, and 0 * inf is NaN in torch
    m_view.max = 1e30F;
    QVERIFY(std::isnan(quant::quantizationError(m_view, 0, 62)));
}

void TestHistogramSearch::manyLevelsUseTheLiteralDivision()
{
    // with 2^32 levels each bin holds many of them; more levels never lose more
    const double few = quant::quantizationError(m_view, 0, 62);
    m_view.levels = 65536;
    const double more = quant::quantizationError(m_view, 0, 62);
    m_view.levels = 4294967296.0;
    const double most = quant::quantizationError(m_view, 0, 62);
    QVERIFY(few > more);
    QVERIFY(std::isfinite(most));
}

void TestHistogramSearch::sameWithAndWithoutMoves()
{
    std::vector<quant::SearchMove> moves;
    QCOMPARE(quant::searchRange(m_view, &moves).endBin, quant::searchRange(m_view).endBin);
}

void TestHistogramSearch::oneBin()
{
    const std::vector<float> counts = {7};
    const quant::SearchResult chosen = quant::searchRange({counts, -1.0F, 2.0F, 256});
    QCOMPARE(chosen.min, -1.0F);
    QCOMPARE(chosen.max, 2.0F);
}

QTEST_APPLESS_MAIN(TestHistogramSearch)
#include "tst_histogram_search.moc"
