// Errors inside sub-graphs, against torch's own (tests/golden/subgraph_figures.py).
#include "numbers/subgraph_errors.h"

#include "case_run.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

using namespace gb;
using numbers::OpError;

namespace {

numbers::MaterialPtr whileLoop()
{
    return test::materialOf(GREENBOX_TEST_DATA "/field_reasons/c16_while.pt2",
                            GREENBOX_TEST_DATA "/numbers/while.recipe.json",
                            GREENBOX_TEST_DATA "/numbers/while.inputs.npz");
}

} // namespace

class TestSubgraphErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBodyHasTorchsFigures()
    {
        QFile file(QStringLiteral(GREENBOX_TEST_DATA "/numbers/subgraph_errors.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object();
        QVERIFY(!expected.isEmpty());
        const auto material = whileLoop();
        QVERIFY(material);
        const auto report = numbers::opErrors(*material);
        QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
        qsizetype found = 0;
        for (const OpError& op : report->ops) {
            if (op.graph.empty())
                continue;
            const QJsonObject row = expected[QString::fromStdString(op.name)].toObject();
            if (row.isEmpty())
                continue; // torch's own interpreter sees no tensor there
            ++found;
            const numbers::Gap& gap = op.cumulative.all();
            if (row[QStringLiteral("sqnr")].isString()) {
                QVERIFY2(gap.equal(), op.name.c_str());
                continue;
            }
            QVERIFY2(std::fabs(gap.sqnr().value_or(0) - row[QStringLiteral("sqnr")].toDouble()) < 0.01,
                     op.name.c_str());
            QVERIFY(std::fabs(gap.largest - row[QStringLiteral("largest")].toDouble()) < 1e-6);
        }
        QCOMPARE(found, expected.size());
    }

    void theyFollowInTheListAndAreNoSites()
    {
        const auto material = whileLoop();
        QVERIFY(material);
        const auto report = numbers::opErrors(*material);
        QVERIFY(report.ok());
        bool inside = false;
        for (const OpError& op : report->ops) {
            QVERIFY(!inside || !op.graph.empty()); // the top graph's first
            inside = !op.graph.empty();
            if (inside)
                QVERIFY(!op.quantized && op.name.starts_with(op.graph + "."));
        }
        QVERIFY(inside);
        const numbers::Sheet sheet = numbers::errorSheet(*report);
        QVERIFY(std::ranges::any_of(sheet.notes, [](const base::Message& note) {
            return note.text().find("sub-graphs have their cumulative error only") != std::string::npos;
        }));
    }

    void aModelWithoutSubgraphsHasNone()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto floats = numbers::withoutObservers(*material->calibrated->module);
        const auto rows = numbers::subgraphErrors(*floats, *floats, material->calibration, 1);
        QVERIFY(rows.ok() && rows->empty());
    }
};

QTEST_GUILESS_MAIN(TestSubgraphErrors)
#include "tst_subgraph_errors.moc"
