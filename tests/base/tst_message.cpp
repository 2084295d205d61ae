#include "base/message.h"

#include <QTest>

#include <limits>

using namespace gb::base;

class MessageTest : public QObject {
    Q_OBJECT

private slots:
    void argumentsGoIntoTheirPlaces()
    {
        QCOMPARE(say("{1} of {0}", 3, "two"), std::string("two of 3"));
        QCOMPARE(say("{0}{0}", std::string("x")), std::string("xx"));
    }

    void bracesThatAreNoPlaceStay()
    {
        QCOMPARE(say("{} {a} {7} {", 1), std::string("{} {a} {7} {"));
        QCOMPARE(say("{0}", "{1}"), std::string("{1}")); // an argument is not a pattern
        QCOMPARE(substitute("{00000000001}", {"a", "b"}), std::string("{00000000001}"));
    }

    void patternAndArgumentsAreKeptForTheTranslator()
    {
        const Message m = message("node {0} has {1} users", "conv2d", 2);
        QCOMPARE(m.pattern, std::string("node {0} has {1} users"));
        QCOMPARE(m.arguments.size(), std::size_t{2});
        QCOMPARE(m.text(), std::string("node conv2d has 2 users"));
        QVERIFY(m == message("node {0} has {1} users", "conv2d", 2));
        QVERIFY(Message().empty());
    }

    void numbersAreShort_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("whole") << 12.0 << "12";
        QTest::newRow("large whole") << 4000000.0 << "4000000";
        QTest::newRow("four digits") << 0.0293333 << "0.02933";
        QTest::newRow("small") << 1.23456e-7 << "1.235e-07";
        QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << "-inf";
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << "nan";
        QTest::newRow("huge") << 1e30 << "1e+30";
    }
    void numbersAreShort()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(shortNumber(value)), text);
    }

    void thousandsAreGrouped()
    {
        QCOMPARE(grouped(0), std::string("0"));
        QCOMPARE(grouped(999), std::string("999"));
        QCOMPARE(grouped(1152), std::string("1,152"));
        QCOMPARE(grouped(-1234567), std::string("-1,234,567"));
        QCOMPARE(grouped(-123), std::string("-123"));
    }
};

QTEST_GUILESS_MAIN(MessageTest)
#include "tst_message.moc"
