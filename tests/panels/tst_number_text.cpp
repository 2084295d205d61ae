#include "observers/number_text.h"

#include <QTest>

#include <limits>

using namespace gb::views;

class NumberTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortTextHasFourDigitsAndATrueMinus()
    {
        QCOMPARE(shortText(-1.93456), QStringLiteral("−1.935"));
        QCOMPARE(shortText(0.0293333), QStringLiteral("0.02933"));
        QCOMPARE(shortText(-128.0), QStringLiteral("−128"));
        QCOMPARE(shortText(std::nullopt), QStringLiteral("—"));
    }

    void fullTextReadsBackToTheSameNumber()
    {
        for (const double v : {0.1, 1.0 / 3, -1.5e-300, 2.0, 1e22})
            QCOMPARE(fullText(v).toDouble(), v);
        QCOMPARE(fullText(static_cast<double>(0.1F)), QStringLiteral("0.1")); // a float32 needs no more
        QCOMPARE(fullText(-std::numeric_limits<double>::infinity()), QStringLiteral("-inf"));
        QCOMPARE(fullText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("nan"));
    }

    void smallSharesAreNotNothing()
    {
        QCOMPARE(percentText(0), QStringLiteral("0 %"));
        QCOMPARE(percentText(0.00312), QStringLiteral("0.31 %"));
        QCOMPARE(percentText(1e-9), QStringLiteral("< 0.0001 %"));
        QCOMPARE(percentText(1), QStringLiteral("100 %"));
    }

    void negativeOperandsAreInBrackets()
    {
        QCOMPARE(operandText(-1.9), QStringLiteral("(−1.9)"));
        QCOMPARE(operandText(1.9), QStringLiteral("1.9"));
    }

    void countsAreGrouped()
    {
        QCOMPARE(countText(1234567), QStringLiteral("1,234,567"));
        QCOMPARE(countText(0.25), QStringLiteral("0.25")); // a share of a count, after re-binning
    }
};

QTEST_GUILESS_MAIN(NumberTextTest)
#include "tst_number_text.moc"
