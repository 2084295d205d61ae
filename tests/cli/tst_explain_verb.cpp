// `greenbox explain`: the JSON's keys, the codes of open cases, and the options.
#include "io/json.h"
#include "shell.h"

#include <QtTest>

using namespace gb;
using io::Json;
using test::caseArguments;
using test::greenbox;

namespace {

Json explain(const std::string& name, const std::vector<std::string>& more = {})
{
    auto arguments = caseArguments("explain", name, {"--json"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto ran = greenbox(arguments);
    auto json = io::parseJson(ran.out, name);
    if (!json)
        qWarning("%s", ran.err.c_str());
    return json ? std::move(*json) : Json::object();
}

std::string keys(const Json& object)
{
    std::string out;
    for (const auto& [key, value] : object.items())
        out += (out.empty() ? "" : " ") + key;
    return out;
}

/// "cat R3, relu R1": what has no label.
std::string unlabelled(const Json& answer)
{
    std::string out;
    for (const Json& n : answer["nodes"])
        if (const std::string code = n["code"].get<std::string>(); code.starts_with('R'))
            out += (out.empty() ? "" : ", ") + n["node"].get<std::string>() + " " + code;
    return out;
}

} // namespace

class TestExplainVerb : public QObject {
    Q_OBJECT

private slots:
    void hasTheContractsKeys()
    {
        const Json answer = explain("cat.xnnpack");
        QCOMPARE(keys(answer), std::string("format version model recipe mode summary nodes settings findings"));
        QCOMPARE(answer["format"].get<std::string>(), std::string("greenbox-explain"));
        QCOMPARE(io::dumpJson(answer["summary"]),
                 std::string(R"({"ops":4,"labelled":3,"unlabelled":1,"observers":8,"in_subgraphs_not_entered":0})"));
        const Json& cat = answer["nodes"].back();
        QCOMPARE(keys(cat), std::string("node graph target code verdict sentence rules nearest to_change evidence"));
        QCOMPARE(cat["verdict"].get<std::string>(), std::string("problem"));
        QCOMPARE(keys(cat["rules"][0]), std::string("rule quantizer failed event"));
        QCOMPARE(keys(answer["settings"][0]), std::string("setting read reached nearest sentence"));
    }

    void findsTheReasonOfEachUnlabelledOp_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reasons");
        QTest::newRow("all labelled") << "conv_relu.xnnpack"
                                      << "";
        QTest::newRow("source metadata") << "cat.xnnpack"
                                         << "cat R3";
        QTest::newRow("no rule") << "residual.relu_output"
                                 << "conv2d R1, conv2d_1 R1, add R1";
        QTest::newRow("nothing to label") << "nothing.xnnpack"
                                          << "cos R1, sum_1 R1";
        QTest::newRow("a type that does not reach") << "nested.module_type"
                                                    << "conv2d R4, conv2d_1 R4, relu R4, conv2d_2 R4, relu_1 R4";
    }
    void findsTheReasonOfEachUnlabelledOp()
    {
        QFETCH(QString, name);
        QFETCH(QString, reasons);
        QCOMPARE(QString::fromStdString(unlabelled(explain(name.toStdString()))), reasons);
    }

    void aSettingThatNoRuleReadsIsSaid()
    {
        const Json answer = explain("nested.operator_type");
        const Json& setting = answer["settings"][0];
        QCOMPARE(setting["setting"].get<std::string>(), std::string("operator_type aten.conv2d"));
        QVERIFY(!setting["read"].get<bool>());
        QVERIFY(setting["reached"].empty());
        QCOMPARE(setting["sentence"].get<std::string>(),
                 std::string("operator_type aten.conv2d is stored, but no rule of this quantizer reads it"));
        bool found = false;
        for (const Json& f : answer["findings"])
            found = found || f["code"] == "R13";
        QVERIFY(found);
    }

    void labelsThatShareAnObserverAreSaid()
    {
        const Json answer = explain("tiny.xnnpack");
        bool found = false;
        for (const Json& n : answer["nodes"])
            found = found || n["code"] == "O2";
        QVERIFY(found);
    }

    void anErrorOfTheQuantizerIsAFindingAndStatusOne()
    {
        const auto ran = greenbox(caseArguments("explain", "nested.module_name_none", {"--json"}));
        QCOMPARE(ran.status, 1);
        const Json answer = *io::parseJson(ran.out, "answer");
        QCOMPARE(answer["findings"][0]["severity"].get<std::string>(), std::string("error"));
        QVERIFY(answer["settings"].empty());
        QVERIFY(unlabelled(answer).find("R16") != std::string::npos);
    }

    void nodeKeepsOnlyWhatIsSaidOfIt()
    {
        const Json answer = explain("cat.xnnpack", {"--node", "cat"});
        QCOMPARE(answer["nodes"].size(), std::size_t{1});
        QCOMPARE(answer["nodes"][0]["node"].get<std::string>(), std::string("cat"));
        const auto missing = greenbox(caseArguments("explain", "cat.xnnpack", {"--node", "dog"}));
        QCOMPARE(missing.status, 2);
        QVERIFY(missing.err.ends_with(": no node \"dog\" in the graphs, one expected\n"));
    }

    void failOnGivesStatusOneWhenACodeOccurs()
    {
        QCOMPARE(greenbox(caseArguments("explain", "cat.xnnpack", {"--fail-on", "R2,R3"})).status, 1);
        QCOMPARE(greenbox(caseArguments("explain", "cat.xnnpack", {"--fail-on", "R2,R13"})).status, 0);
        QCOMPARE(greenbox(caseArguments("explain", "nested.operator_type", {"--fail-on", "R13"})).status, 1);
    }

    void theOtherPartsComeWhenAskedFor()
    {
        const Json answer = explain("conv_relu.xnnpack", {"--coverage", "--sharing", "--ledger"});
        QCOMPARE(answer["coverage"]["all"]["labelled"].get<int>(), 2);
        QCOMPARE(answer["coverage"]["by_op"].size(), std::size_t{2});
        QVERIFY(!answer["sharing"].empty());
        QCOMPARE(keys(answer["sharing"][0]["members"][0]), std::string("position spec rule decides range bits_lost"));
        QVERIFY(answer["ledger"]["stored_after"].get<int>() > 0);
        const auto ran =
            greenbox(caseArguments("explain", "conv_relu.xnnpack", {"--coverage", "--sharing", "--ledger"}));
        QVERIFY(ran.out.find("\nop                   ops  labelled") != std::string::npos);
        QVERIFY(ran.out.find("constant folded: ") != std::string::npos);
    }

    void aNodeIsPrintedWithTheHistoryOfItsLabel()
    {
        const auto ran = greenbox(caseArguments("explain", "conv_relu.xnnpack", {"--node", "relu"}));
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.out.find("rule conv_relu of xnnpack labels relu, which it matched as conv2d, relu")
                     != std::string::npos,
                 ran.out.c_str());
        QVERIFY(ran.out.find("output: — -> int8 (") != std::string::npos);
        QVERIFY(ran.out.find("global wins: ") != std::string::npos);
    }

    void aQueryKeepsWhatMatches()
    {
        const Json answer = explain("cat.xnnpack", {"--query", "op:cat"});
        QCOMPARE(answer["nodes"].size(), std::size_t{1});
        const auto wrong = greenbox(caseArguments("explain", "cat.xnnpack", {"--query", "op:"}));
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.find("column 4: nothing found behind op:") != std::string::npos);
    }

    void everyNodeCanBeListed()
    {
        const Json answer = explain("cat.xnnpack", {"--all"});
        bool placeholder = false;
        for (const Json& n : answer["nodes"])
            placeholder = placeholder || (n["code"] == "R18" && n["node"] == "x");
        QVERIFY(placeholder);
    }

    void theTextSaysTheSame()
    {
        const auto ran = greenbox(caseArguments("explain", "cat.xnnpack"));
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.out.starts_with("cat.xnnpack, ptq: 3 of 4 ops labelled, 1 not; 8 observers\n\n"
                                     "cat  aten.cat.default  R3 problem\n  "),
                 ran.out.c_str());
        QVERIFY(ran.out.find("  tried: cat of xnnpack (event ") != std::string::npos);
        QVERIFY(ran.out.find("\nsettings\n  global labelled 9 nodes\n") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestExplainVerb)
#include "tst_explain_verb.moc"
