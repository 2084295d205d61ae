// Patterns with wildcards.
#include "base/glob.h"

#include <QtTest>

using namespace gb;

class TestGlob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matches_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* pattern, const char* text, bool expected) {
            QTest::newRow(QByteArray(pattern) + " on " + text) << QByteArray(pattern) << QByteArray(text) << expected;
        };
        row("conv2d", "conv2d", true);
        row("conv2d", "conv2d_1", false);
        row("conv*", "conv2d_1", true);
        row("*", "", true);
        row("?", "", false);
        row("conv?d", "conv3d", true);
        row("CONV2D", "conv2d", true);
        row("*a*b", "xaybzab", true);
        row("*a*b", "xaybza", false);
        row("a**", "a", true);
        row("", "a", false);
    }
    void matches()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        QCOMPARE(base::globMatches(pattern.toStdString(), text.toStdString()), expected);
    }

    void manyStarsTakeNoExponentialTime()
    {
        const std::string text(5000, 'a');
        QVERIFY(!base::globMatches("*a*a*a*a*a*a*a*a*a*b", text));
    }

    void partsAndShortNames()
    {
        QVERIFY(base::containsText("layer1.Conv", "1.conv"));
        QVERIFY(base::containsText("x", ""));
        QVERIFY(!base::containsText("conv", "conv2d"));
        QCOMPARE(base::shortOpName("aten.conv2d.default"), std::string_view("conv2d"));
        QCOMPARE(base::shortOpName("cond"), std::string_view("cond"));
    }
};

QTEST_GUILESS_MAIN(TestGlob)
#include "tst_glob.moc"
