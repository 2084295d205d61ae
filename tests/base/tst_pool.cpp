// Loops that threads share.
#include "base/pool.h"

#include <QtTest>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

using namespace gb;

class TestPool : public QObject {
    Q_OBJECT

private slots:
    void everyPlaceIsVisitedOnce_data();
    void everyPlaceIsVisitedOnce();
    void piecesDependOnGrainAlone();
    void aLoopWithoutAPoolIsTheSame();
    void anExceptionIsThrownOnOnce();
    void aCancelledLoopBeginsNothing();
    void aPoolServesManyLoops();
};

namespace {

using Pieces = std::set<std::pair<std::int64_t, std::int64_t>>;

Pieces piecesOf(base::Pool* pool, std::int64_t count, std::int64_t grain)
{
    Pieces out;
    std::mutex mutex;
    base::forEachChunk(pool, {}, count, grain, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard lock(mutex);
        out.emplace(begin, end);
    });
    return out;
}

} // namespace

void TestPool::everyPlaceIsVisitedOnce_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("grain");
    QTest::newRow("one thread") << 1 << 100 << 7;
    QTest::newRow("several threads") << 3 << 1000 << 7;
    QTest::newRow("more threads than pieces") << 8 << 3 << 2;
    QTest::newRow("nothing to do") << 2 << 0 << 4;
    QTest::newRow("a grain of nothing counts as one") << 2 << 5 << 0;
}

void TestPool::everyPlaceIsVisitedOnce()
{
    QFETCH(int, threads);
    QFETCH(int, count);
    QFETCH(int, grain);
    base::Pool pool(static_cast<unsigned>(threads));
    QCOMPARE(pool.threads(), static_cast<unsigned>(threads));
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    pool.forEachChunk({}, count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            ++visits[static_cast<std::size_t>(i)];
    });
    for (const auto& visit : visits)
        QCOMPARE(visit.load(), 1);
}

void TestPool::piecesDependOnGrainAlone()
{
    const Pieces wanted = {{0, 4}, {4, 8}, {8, 10}};
    for (const unsigned threads : {1U, 2U, 5U}) {
        base::Pool pool(threads);
        QCOMPARE(piecesOf(&pool, 10, 4), wanted);
    }
}

void TestPool::aLoopWithoutAPoolIsTheSame()
{
    base::Pool pool(2);
    QCOMPARE(piecesOf(nullptr, 10, 4), piecesOf(&pool, 10, 4));
    QCOMPARE(piecesOf(nullptr, 0, 4), Pieces());
}

void TestPool::anExceptionIsThrownOnOnce()
{
    base::Pool pool(2);
    for (int turn = 0; turn < 20; ++turn) {
        int thrown = 0;
        try {
            pool.forEachChunk({}, 50, 1, [](std::int64_t begin, std::int64_t) {
                if (begin % 2 == 1)
                    throw std::runtime_error("odd");
            });
        } catch (const std::runtime_error&) {
            ++thrown;
        }
        QCOMPARE(thrown, 1);
    }
}

void TestPool::aCancelledLoopBeginsNothing()
{
    std::stop_source stop;
    stop.request_stop();
    base::Work work;
    work.stop = stop.get_token();
    base::Pool pool(2);
    std::atomic<int> begun{0};
    pool.forEachChunk(work, 10, 1, [&](std::int64_t, std::int64_t) { ++begun; });
    base::forEachChunk(nullptr, work, 10, 1, [&](std::int64_t, std::int64_t) { ++begun; });
    QCOMPARE(begun.load(), 0);
}

void TestPool::aPoolServesManyLoops()
{
    base::Pool pool(3);
    std::atomic<std::int64_t> sum{0};
    for (int loop = 0; loop < 500; ++loop)
        pool.forEachChunk({}, 10, 1, [&](std::int64_t begin, std::int64_t) { sum += begin; });
    QCOMPARE(sum.load(), std::int64_t{500 * 45});
}

QTEST_GUILESS_MAIN(TestPool)
#include "tst_pool.moc"
