// Programs and recipes from reports of users: each gets the code that its row names, for the node that it names.
#include "explained.h"
#include "recipes.h"
#include "trace/replay.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>
#include <set>

using namespace gb;
using namespace gb::test;

namespace {

QJsonArray rows(const char* name)
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/field_reasons/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

/// True where a code other than R is said of the node.
bool hasCode(const Explained& run, const std::string& node, const std::string& code)
{
    return std::ranges::any_of(run.answer.nodes,
                               [&](const explain::NodeReason& n) { return n.node == node && n.code == code; });
}

int labelledNodes(const Explained& run, int& all)
{
    trace::Replay replay(run.recording);
    const int labelled = run.recording->stageEvent("annotated");
    const auto moment = replay.at(labelled < 0 ? static_cast<int>(run.recording->events.size()) - 1 : labelled);
    int out = 0;
    for (const auto& [path, graph] : (*moment)->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next(), ++all) {
            const auto& a = n->annotation();
            out += a && (a->annotated || a->output || !a->inputs.empty());
        }
    return out;
}

/// Every node of a run has a label or exactly one R code with a sentence, and the counts agree.
void checkCompleteness(const Explained& run)
{
    std::map<std::string, int> byCode;
    std::set<ir::NodeId> seen;
    int unlabelled = 0;
    for (const auto* list : {&run.answer.nodes, &run.answer.others})
        for (const explain::NodeReason& n : *list) {
            QVERIFY2(!n.sentence.empty(), n.node.c_str());
            if (!n.code.starts_with('R'))
                continue;
            QVERIFY2(seen.insert(n.id).second, n.node.c_str()); // one code a node
            ++byCode[n.code];
            ++unlabelled;
        }
    int all = 0;
    const int labelled = labelledNodes(run, all);
    int sum = labelled;
    for (const auto& [code, count] : byCode)
        sum += count;
    QCOMPARE(sum, all);
    QVERIFY2(!byCode.contains("R17"), "a node of which the recording says nothing");
    const explain::Summary& s = run.answer.summary;
    QCOMPARE(s.labelled + s.unlabelled, s.ops);
    QVERIFY(unlabelled >= s.unlabelled);
}

} // namespace

class TestFieldReasons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachRowGetsItsCode_data()
    {
        QTest::addColumn<QJsonObject>("row");
        for (const QJsonValue& row : rows("rows.json"))
            QTest::newRow(row.toObject()[QLatin1String("case")].toString().toLatin1().constData()) << row.toObject();
    }
    void eachRowGetsItsCode()
    {
        QFETCH(QJsonObject, row);
        const Explained run = explainedCase("field_reasons", row[QLatin1String("case")].toString().toStdString(),
                                            row[QLatin1String("mode")].toString().toStdString());
        QVERIFY(run.recording);
        const QJsonObject nodes = row[QLatin1String("nodes")].toObject();
        for (auto it = nodes.begin(); it != nodes.end(); ++it)
            QVERIFY2(
                hasCode(run, it.key().toStdString(), it.value().toString().toStdString()),
                qPrintable(it.key() + QLatin1Char(' ') + QString::fromStdString(run.codeOf(it.key().toStdString()))));
        for (const QJsonValue& code : row[QLatin1String("findings")].toArray())
            QVERIFY2(run.hasFinding(code.toString().toStdString()), qPrintable(code.toString()));
    }

    void eachProblemIsFound_data()
    {
        QTest::addColumn<QJsonObject>("row");
        for (const QJsonValue& row : rows("problems.json"))
            QTest::newRow(row.toObject()[QLatin1String("case")].toString().toLatin1().constData()) << row.toObject();
    }
    void eachProblemIsFound()
    {
        QFETCH(QJsonObject, row);
        std::optional<std::vector<std::int64_t>> calibrate;
        if (const QJsonValue positions = row[QLatin1String("calibrate")]; positions.isArray()) {
            calibrate.emplace();
            for (const QJsonValue& position : positions.toArray())
                calibrate->push_back(position.toInt());
        }
        const Explained run = explainedCase("field_reasons", row[QLatin1String("case")].toString().toStdString(),
                                            row[QLatin1String("mode")].toString().toStdString(), calibrate, true);
        QVERIFY(run.recording);
        const QJsonArray wanted = row[QLatin1String("problems")].toArray();
        for (const QJsonValue& kind : wanted)
            QVERIFY2(!run.problem(kind.toString().toStdString()).empty(), qPrintable(kind.toString()));
        if (wanted.isEmpty()) // a run that is as it should be: nothing louder than a note
            for (const explain::Finding& f : run.answer.findings)
                QVERIFY2(f.severity == explain::Severity::Note, f.sentence.text().c_str());
    }

    void everyNodeHasALabelOrACode_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("mode");
        const QDir folder(QStringLiteral(GREENBOX_TEST_DATA "/cases"));
        for (const QString& file : folder.entryList({QStringLiteral("*.pt2")})) {
            const QString name = file.chopped(4);
            QTest::newRow(name.toLatin1().constData())
                << name << (name.contains(QLatin1String("_qat")) ? QStringLiteral("qat") : QStringLiteral("ptq"));
        }
    }
    void everyNodeHasALabelOrACode()
    {
        QFETCH(QString, name);
        QFETCH(QString, mode);
        const Explained run = explainedCase("cases", name.toStdString(), mode.toStdString());
        QVERIFY(run.recording);
        checkCompleteness(run);
    }

    void everyNodeOfAWholeModel_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<int>("ops");
        QTest::addColumn<int>("labelled");
        QTest::newRow("resnet18 xnnpack") << QStringLiteral("resnet18") << QByteArray(kXnnpackPerChannel) << 49 << 49;
        QTest::newRow("vit_b_16 xnnpack") << QStringLiteral("vit_b_16") << QByteArray(kXnnpackPerChannel) << 430 << 87;
        QTest::newRow("vit_b_16 x86") << QStringLiteral("vit_b_16") << QByteArray(kX86) << 430 << 38;
    }
    void everyNodeOfAWholeModel()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, recipe);
        QFETCH(int, ops);
        QFETCH(int, labelled);
        const auto program = io::loadPt2(GREENBOX_TEST_DATA "/graphs/" + name.toStdString() + ".pt2");
        QVERIFY(program.ok());
        engine::RunOptions options;
        options.stopAfter = "annotated"; // the files hold no weights
        const Explained run = explained(program->module, recipe.toStdString(), options);
        QVERIFY(run.recording);
        checkCompleteness(run);
        QCOMPARE(run.answer.summary.ops, ops);
        QCOMPARE(run.answer.summary.labelled, labelled);
    }
};

QTEST_GUILESS_MAIN(TestFieldReasons)
#include "tst_field_reasons.moc"
