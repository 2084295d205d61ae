// Blocks of memory that are taken again.
#include "ir/block_cache.h"

#include <QtTest>

using namespace gb;
using ir::BlockCache;

class TestBlockCache : public QObject {
    Q_OBJECT

private slots:
    void aBlockOfTheSameSizeIsTakenAgain();
    void anotherSizeGetsAnotherBlock();
    void smallBlocksAreNotKept();
    void noMoreIsKeptThanTheCapacity();
    void blocksAreAligned();
};

namespace {
constexpr std::size_t kLarge = 1 << 20;
}

void TestBlockCache::aBlockOfTheSameSizeIsTakenAgain()
{
    BlockCache cache(4 * kLarge);
    std::byte* block = cache.take(kLarge);
    QCOMPARE(cache.kept(), std::size_t{0});
    cache.give(block, kLarge);
    QCOMPARE(cache.kept(), kLarge);
    QCOMPARE(cache.take(kLarge), block);
    QCOMPARE(cache.kept(), std::size_t{0});
    cache.give(block, kLarge);
}

void TestBlockCache::anotherSizeGetsAnotherBlock()
{
    BlockCache cache(4 * kLarge);
    cache.give(cache.take(kLarge), kLarge);
    std::byte* other = cache.take(kLarge + 64);
    QCOMPARE(cache.kept(), kLarge); // the first one still waits
    cache.give(other, kLarge + 64);
    QCOMPARE(cache.kept(), 2 * kLarge + 64);
}

void TestBlockCache::smallBlocksAreNotKept()
{
    BlockCache cache(4 * kLarge);
    cache.give(cache.take(0), 0);
    cache.give(cache.take(4096), 4096);
    QCOMPARE(cache.kept(), std::size_t{0});
}

void TestBlockCache::noMoreIsKeptThanTheCapacity()
{
    BlockCache cache(2 * kLarge);
    std::byte* blocks[] = {cache.take(kLarge), cache.take(kLarge), cache.take(kLarge)};
    for (std::byte* block : blocks)
        cache.give(block, kLarge);
    QCOMPARE(cache.kept(), 2 * kLarge);
    BlockCache none(0);
    none.give(none.take(kLarge), kLarge);
    QCOMPARE(none.kept(), std::size_t{0});
}

void TestBlockCache::blocksAreAligned()
{
    BlockCache cache(4 * kLarge);
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, kLarge + 4}) {
        std::byte* block = cache.take(size);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(block) % BlockCache::kAlignment, std::uintptr_t{0});
        block[size - 1] = std::byte{1}; // all of it may be written
        cache.give(block, size);
    }
}

QTEST_GUILESS_MAIN(TestBlockCache)
#include "tst_block_cache.moc"
