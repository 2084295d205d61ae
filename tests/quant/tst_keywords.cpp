// Keyword arguments, read and refused as Python does.
#include "quant/keywords.h"

#include <QtTest>

using namespace gb;
using quant::Keywords;

class TestKeywords : public QObject {
    Q_OBJECT

private slots:
    void readsTypedValues();
    void setKeepsThePlace();
    void namesTheUnexpectedKeyword();
    void namesTheMissingArguments();
    void refusesOtherTypes();
    void truthIsPythons();
};

void TestKeywords::readsTypedValues()
{
    const Keywords keywords("X", {{"bins", 3},
                                  {"eps", 0.5},
                                  {"none", ir::Argument()},
                                  {"far", "-inf"},
                                  {"qscheme", "torch.per_tensor_symmetric"}});
    QCOMPARE(keywords.integer("bins", 7)->value(), std::int64_t{3});
    QVERIFY(!keywords.integer("none", 7)->has_value());
    QCOMPARE(keywords.integer("absent", 7)->value(), std::int64_t{7});
    QCOMPARE(*keywords.number("eps", 1), 0.5);
    QCOMPARE(*keywords.number("far", 1), -HUGE_VAL);
    QVERIFY(keywords.qscheme("qscheme", {})->value() == ir::QScheme::PerTensorSymmetric);
    QCOMPARE(keywords.dtype().name, std::string("quint8"));
}

void TestKeywords::setKeepsThePlace()
{
    Keywords keywords("X", {{"a", 1}, {"b", 2}});
    keywords.set("a", 5);
    keywords.set("c", 6);
    QCOMPARE(keywords.items().front().first, std::string("a"));
    QVERIFY(keywords.items().front().second == ir::Argument(5));
    QCOMPARE(keywords.items().back().first, std::string("c"));
    keywords.erase("b");
    QVERIFY(!keywords.find("b"));
}

void TestKeywords::namesTheUnexpectedKeyword()
{
    const auto status = Keywords("X", {{"a", 1}, {"foo", 2}}).allowOnly({"a"}, "X");
    QVERIFY(!status.ok());
    QCOMPARE(status.error().sentence, std::string("X.__init__() got an unexpected keyword argument 'foo'"));
}

void TestKeywords::namesTheMissingArguments()
{
    QCOMPARE(Keywords("X", {}).require({"scale", "zero_point"}).error().sentence,
             std::string("X.__init__() missing 2 required positional arguments: 'scale' and 'zero_point'"));
    QCOMPARE(Keywords("X", {{"scale", 1}}).require({"scale", "zero_point"}).error().sentence,
             std::string("X.__init__() missing 1 required positional argument: 'zero_point'"));
}

void TestKeywords::refusesOtherTypes()
{
    const Keywords keywords("X", {{"bins", "many"}, {"eps", ir::Argument()}, {"qscheme", "per_row"}});
    QVERIFY(keywords.integer("bins", 1).error().code == base::ErrorCode::TypeError);
    QVERIFY(keywords.number("eps", 1).error().sentence.find("eps") != std::string::npos);
    QVERIFY(keywords.qscheme("qscheme", {}).error().sentence.find("per_row") != std::string::npos);
}

void TestKeywords::truthIsPythons()
{
    const Keywords keywords("X", {{"zero", 0}, {"one", 1}, {"text", "no"}, {"empty", ""}, {"none", ir::Argument()}});
    QVERIFY(!keywords.truth("zero") && keywords.truth("one") && keywords.truth("text"));
    QVERIFY(!keywords.truth("empty") && !keywords.truth("none") && !keywords.truth("absent"));
}

QTEST_APPLESS_MAIN(TestKeywords)
#include "tst_keywords.moc"
