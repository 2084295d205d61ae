#include "ops/kernels/kernel_sum.h"

#include <QtTest>

using namespace gb::ops;

namespace {

ConvGeometry geometry(std::int64_t batch, std::int64_t channels, std::int64_t kernel)
{
    ConvGeometry g;
    g.batch = batch;
    g.inChannels = channels;
    g.outChannels = 8;
    g.kernel = {1, 1, kernel};
    g.input = {1, 1, 9};
    g.output = {1, 1, 10 - kernel};
    return g;
}

/// "c0 c1": the channel and the kernel's element of each term.
QString order(const KernelSum& sum)
{
    QStringList out;
    for (const KernelSum::Term& term : sum.terms)
        out << QStringLiteral("%1%2").arg(QChar('a' + static_cast<char>(term.channel))).arg(term.element[2]);
    return out.join(' ');
}

KernelSum all(const ConvGeometry& g)
{
    return sumOrder(g, kernelElements(g));
}

} // namespace

class TestKernelSum : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void severalImagesGoElementByElement()
    {
        const KernelSum sum = all(geometry(2, 3, 2));
        QCOMPARE(order(sum), QStringLiteral("a0 b0 c0 a1 b1 c1"));
        QCOMPARE(sum.block, std::int64_t{32});
    }

    void aSmallImageAloneGoesChannelByChannel()
    {
        QCOMPARE(order(all(geometry(1, 3, 2))), QStringLiteral("a0 a1 b0 b1 c0 c1"));
    }

    void sixteenChannelsMakeABlock()
    {
        const KernelSum sum = all(geometry(2, 18, 2));
        QCOMPARE(sum.block, std::int64_t{32});
        QCOMPARE(order(sum).section(' ', 30), QStringLiteral("o1 p1 q0 r0 q1 r1"));
    }

    void groupsTakeTheWidestVectorThatTheyFill()
    {
        ConvGeometry g = geometry(2, 16, 2);
        g.groups = 2; // 8 in, 4 out
        QCOMPARE(all(g).block, std::int64_t{8});
        g.inChannels = 6; // 3 in: no vector
        QCOMPARE(order(all(g)), QStringLiteral("a0 a1 b0 b1 c0 c1"));
    }

    void aKernelOfOneElementIsOneLongSum()
    {
        ConvGeometry g = geometry(2, 20, 1);
        QCOMPARE(all(g).block, std::int64_t{256});
        g.output = {1, 14, 14}; // larger than 10 x 10, smaller than 28 x 28
        QCOMPARE(all(g).block, std::int64_t{80});
        g.outChannels = 257;
        QCOMPARE(all(g).block, std::int64_t{512});
        g.outChannels = 8;
        g.output = {1, 28, 28};
        QCOMPARE(all(g).block, std::int64_t{512});
    }

    void onlyAKernelOfOneElementBeginsWithTheBias()
    {
        QVERIFY(all(geometry(2, 20, 1)).biasFirst);
        QVERIFY(!all(geometry(1, 20, 1)).biasFirst); // small: the product of torch's own library
        QVERIFY(!all(geometry(2, 20, 2)).biasFirst);
    }

    void onlyTheElementsGivenAreSummed()
    {
        const KernelSum sum = sumOrder(geometry(2, 2, 3), {{0, 0, 0}, {0, 0, 2}});
        QCOMPARE(order(sum), QStringLiteral("a0 b0 a2 b2"));
        QCOMPARE(sum.block, std::int64_t{32});
        QVERIFY(sumOrder(geometry(2, 2, 3), {}).terms.empty());
    }

    void kernelElementsAreInRowMajorOrder()
    {
        ConvGeometry g;
        g.kernel = {2, 1, 2};
        QCOMPARE(kernelElements(g), std::vector<Triple>({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}}));
    }
};

QTEST_GUILESS_MAIN(TestKernelSum)
#include "tst_kernel_sum.moc"
