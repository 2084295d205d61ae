// Programs and recipes from reports of users: each gets the code that its row names, for the node that it names.
#include "explained.h"
#include "trace/replay.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace gb;
using namespace gb::test;

namespace {

QJsonArray rows()
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/field_reasons/rows.json"));
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

} // namespace

class TestFieldReasons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachRowGetsItsCode_data()
    {
        QTest::addColumn<QJsonObject>("row");
        for (const QJsonValue& row : rows())
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
        int unlabelled = 0;
        for (const auto* list : {&run.answer.nodes, &run.answer.others})
            for (const explain::NodeReason& n : *list) {
                QVERIFY2(!n.sentence.empty(), n.node.c_str());
                unlabelled += n.code.starts_with('R');
            }
        int all = 0;
        const int labelled = labelledNodes(run, all);
        QCOMPARE(labelled + unlabelled, all);
        const explain::Summary& s = run.answer.summary;
        QCOMPARE(s.labelled + s.unlabelled, s.ops);
    }
};

QTEST_GUILESS_MAIN(TestFieldReasons)
#include "tst_field_reasons.moc"
