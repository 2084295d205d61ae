#include "ops/square_root.h"

#include <QtTest>

#include <limits>

using gb::ops::squareRoot;

class TestSquareRoot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isARightNeighbourOrTheRootItself()
    {
        for (int exponent = -126; exponent < 128; ++exponent)
            for (int step = 0; step < 64; ++step) {
                const float x = std::ldexp(1.0F + static_cast<float>(step) / 64.0F, exponent);
                const float right = std::sqrt(x);
                const float got = squareRoot(x);
                QVERIFY(got >= std::nextafter(right, 0.0F));
                QVERIFY(got <= std::nextafter(right, std::numeric_limits<float>::infinity()));
            }
    }

    void aFactorOfFourDoublesTheRoot()
    {
        for (float x = 1.0F; x < 4.0F; x += 0.001F)
            QCOMPARE(squareRoot(4.0F * x), 2.0F * squareRoot(x));
    }

    void specialValuesAreThoseOfSqrt()
    {
        const float infinity = std::numeric_limits<float>::infinity();
        QCOMPARE(squareRoot(0.0F), 0.0F);
        QVERIFY(std::signbit(squareRoot(-0.0F)));
        QCOMPARE(squareRoot(infinity), infinity);
        QVERIFY(std::isnan(squareRoot(-1.0F)));
        QVERIFY(std::isnan(squareRoot(std::numeric_limits<float>::quiet_NaN())));
        const float small = std::numeric_limits<float>::denorm_min();
        QCOMPARE(squareRoot(small), std::sqrt(small));
        QVERIFY(std::isfinite(squareRoot(std::numeric_limits<float>::max())));
    }

    void exactSquaresStayExact()
    {
        for (int i = 1; i < 100; ++i)
            QCOMPARE(squareRoot(static_cast<float>(i * i)), static_cast<float>(i));
    }
};

QTEST_GUILESS_MAIN(TestSquareRoot)
#include "tst_square_root.moc"
