// The JSON helper: limits, errors with a place, typed getters, deterministic text.
#include "io/json.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gb;
using io::Json;
using io::JsonCursor;

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void keepsKeyOrder();
    void saysWhereTheTextIsBroken_data();
    void saysWhereTheTextIsBroken();
    void refusesTooDeepNesting();
    void refusesKeyGivenTwice();
    void namesThePathOfAWrongType();
    void namesTheMissingKey();
    void refusesIntegerOutOfRange();
    void readsTorchsInfinities();
    void readsUnionsOfOneKey();
    void writesFloatsThatReadBack();
};

namespace {
Json parsed(const char* text)
{
    auto result = io::parseJson(text, "a.json");
    return result ? std::move(*result) : Json();
}
} // namespace

void TestJson::keepsKeyOrder()
{
    QCOMPARE(io::dumpJson(parsed(R"( {"b": 1, "a": [true, null, "x"], "c": {"z": 2.5}} )")),
             std::string(R"({"b":1,"a":[true,null,"x"],"c":{"z":2.5}})"));
}

void TestJson::saysWhereTheTextIsBroken_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut off") << QByteArray(R"({"a": [1, 2)");
    QTest::newRow("two values") << QByteArray("1 2");
    QTest::newRow("bare nan") << QByteArray("[NaN]");
    QTest::newRow("not utf-8") << QByteArray("\"\xff\xfe\"");
    QTest::newRow("zero byte") << QByteArray("[1\0]", 4);
}

void TestJson::saysWhereTheTextIsBroken()
{
    QFETCH(QByteArray, text);
    const auto result = io::parseJson({text.constData(), static_cast<std::size_t>(text.size())}, "a.json");
    QVERIFY(!result);
    QCOMPARE(result.error().code, base::ErrorCode::Format);
    QVERIFY2(result.error().text().starts_with("a.json: broken JSON at byte "), result.error().text().c_str());
}

void TestJson::refusesTooDeepNesting()
{
    const std::string fits = std::string(200, '[') + std::string(200, ']');
    QVERIFY(io::parseJson(fits, "a.json").ok());
    const auto result = io::parseJson(std::string(1'000'000, '['), "a.json");
    QVERIFY(!result);
    QCOMPARE(result.error().text(), std::string("a.json: JSON nested deeper than 200 levels, at most 200 expected"));
}

void TestJson::refusesKeyGivenTwice()
{
    const auto result = io::parseJson(R"({"a": 1, "b": 2, "a": 3})", "a.json");
    QVERIFY(!result);
    QCOMPARE(result.error().text(), std::string("a.json: key \"a\" given twice, once expected"));
}

void TestJson::namesThePathOfAWrongType()
{
    const Json document = parsed(R"({"graph": {"nodes": [{"target": "x"}, {"target": 5}]}})");
    const auto nodes = JsonCursor(document, "m.pt2").get("graph")->get("nodes")->items();
    QVERIFY(nodes.ok());
    QCOMPARE(*(*nodes)[0].text("target"), std::string("x"));
    QCOMPARE((*nodes)[1].text("target").error().text(),
             std::string("m.pt2: graph.nodes[1].target: found integer 5, text expected"));
    QCOMPARE((*nodes)[1].boolean().error().text(),
             std::string("m.pt2: graph.nodes[1]: found object of 1, true or false expected"));
}

void TestJson::namesTheMissingKey()
{
    const Json document = parsed(R"({"a": {"b": null}})");
    const auto a = JsonCursor(document, "m").get("a");
    QCOMPARE(a->get("c").error().text(), std::string("m: a: no key \"c\" found, one expected"));
    QVERIFY(!a->find("b").has_value());
    QVERIFY(!a->find("c").has_value());
    QCOMPARE(a->integer("b").error().text(), std::string("m: a.b: found null, integer expected"));
}

void TestJson::refusesIntegerOutOfRange()
{
    const Json document = parsed("[18446744073709551615, -9223372036854775808, 7, 1.5]");
    const auto items = JsonCursor(document, "m").items();
    QVERIFY((*items)[0].integer().error().text().find("18446744073709551615") != std::string::npos);
    QCOMPARE(*(*items)[1].integer(), std::numeric_limits<std::int64_t>::min());
    QCOMPARE((*items)[2].integer(0, 6).error().text(),
             std::string("m: [2]: found integer 7, integer from 0 to 6 expected"));
    QCOMPARE((*items)[3].integer().error().text(), std::string("m: [3]: found number 1.5, integer expected"));
}

void TestJson::readsTorchsInfinities()
{
    const Json document = parsed(R"(["Infinity", "-Infinity", "NaN", "inf", 2, "two"])");
    const auto items = JsonCursor(document, "m").items();
    QVERIFY(std::isinf(*(*items)[0].number()) && *(*items)[0].number() > 0);
    QVERIFY(std::isinf(*(*items)[1].number()) && *(*items)[1].number() < 0);
    QVERIFY(std::isnan(*(*items)[2].number()));
    QVERIFY(std::isinf(*(*items)[3].number()));
    QCOMPARE(*(*items)[4].number(), 2.0);
    QCOMPARE((*items)[5].number().error().text(), std::string("m: [5]: found text \"two\", number expected"));
}

void TestJson::readsUnionsOfOneKey()
{
    const Json document = parsed(R"([{"as_int": 3}, {}, {"a": 1, "b": 2}])");
    const auto items = JsonCursor(document, "m").items();
    const auto only = (*items)[0].only();
    QCOMPARE(only->first, std::string("as_int"));
    QCOMPARE(*only->second.integer(), std::int64_t{3});
    QVERIFY(!(*items)[1].only());
    QCOMPARE((*items)[2].only().error().text(), std::string("m: [2]: found object of 2, object of one key expected"));
}

void TestJson::writesFloatsThatReadBack()
{
    for (const double value : {0.1, 1e-5, 1.0 / 3, 5e-324, 1.7976931348623157e308, 2.0, -0.0}) {
        const std::string text = io::dumpJson(io::jsonNumber(value));
        const auto back = io::parseJson(text, "");
        QVERIFY(back.ok());
        QCOMPARE(back->get<double>(), value);
        QVERIFY2(back->is_number_float(), text.c_str());
    }
    QCOMPARE(io::dumpJson(io::jsonNumber(std::numeric_limits<double>::infinity())), std::string("\"inf\""));
    QCOMPARE(io::dumpJson(io::jsonNumber(-std::numeric_limits<double>::infinity())), std::string("\"-inf\""));
    QCOMPARE(io::dumpJson(io::jsonNumber(std::nan(""))), std::string("\"nan\""));
}

QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
