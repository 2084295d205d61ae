// Figures of whole runs, held to torchao's own (tests/golden/run_figures.py): each observer after each batch, each move
// of the histogram search, the model's output after each kind of change.
#include "numbers/history.h"
#include "numbers/search_replay.h"
#include "numbers/what_if.h"

#include "case_run.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

using namespace gb;
using numbers::Change;

namespace {

QJsonObject golden()
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/numbers/runs.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// Sums of convolutions come in another order than torch's.
bool close(double value, double expected)
{
    return std::fabs(value - expected) <= 2e-5 * std::max(std::fabs(expected), 1e-3);
}

Change changeFrom(const QJsonObject& row)
{
    const QString kind = row[QStringLiteral("kind")].toString();
    Change change;
    change.site = row[QStringLiteral("site")].toString().toStdString();
    change.kind = kind == QStringLiteral("float_op")         ? Change::Kind::FloatOp
                  : kind == QStringLiteral("float_observer") ? Change::Kind::FloatObserver
                  : kind == QStringLiteral("range")          ? Change::Kind::Range
                                                             : Change::Kind::Observer;
    change.min = row[QStringLiteral("min")].toDouble();
    change.max = row[QStringLiteral("max")].toDouble();
    if (change.kind == Change::Kind::Observer) {
        const QString scheme = row[QStringLiteral("qscheme")].toString(QStringLiteral("per_tensor_affine"));
        change.observer = {"MinMaxObserver",
                           {{"dtype", ir::DType::Int8},
                            {"qscheme", scheme.toStdString()},
                            {"quant_min", -128},
                            {"quant_max", 127},
                            {"eps", std::ldexp(1.0, -12)}}}; // XNNPACKQuantizer's
    }
    return change;
}

} // namespace

class TestRunFigures : public QObject {
    Q_OBJECT

private:
    static void addCases()
    {
        QTest::addColumn<QString>("name");
        const QStringList names = golden().keys();
        QVERIFY(!names.isEmpty());
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << name;
    }

private Q_SLOTS:
    void eachObserverAfterEachBatch_data() { addCases(); }

    void eachObserverAfterEachBatch()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString());
        QVERIFY(material);
        const QJsonObject expected = golden()[name][QStringLiteral("history")].toObject();
        const auto histories = numbers::historiesOf(*material->recording);
        QCOMPARE(static_cast<qsizetype>(histories.size()), expected.size());
        for (const numbers::History& history : histories) {
            const QJsonArray steps = expected[QString::fromStdString(history.name)].toArray();
            QCOMPARE(static_cast<qsizetype>(history.steps.size()), steps.size());
            for (std::size_t s = 0; s < history.steps.size(); ++s) {
                const QJsonObject row = steps[static_cast<qsizetype>(s)].toObject();
                const auto& range = history.steps[s].range;
                QVERIFY2(range && close(range->min, row[QStringLiteral("min")].toDouble())
                             && close(range->max, row[QStringLiteral("max")].toDouble()),
                         history.name.c_str());
            }
        }
    }

    void eachMoveOfTheSearch_data() { addCases(); }

    void eachMoveOfTheSearch()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString());
        QVERIFY(material);
        const QJsonObject expected = golden()[name][QStringLiteral("search")].toObject();
        QVERIFY(!expected.isEmpty());
        for (const QString& target : expected.keys()) {
            const auto observer =
                std::dynamic_pointer_cast<quant::Observer>(material->calibrated->module->module(target.toStdString()));
            QVERIFY(observer);
            const auto replay = numbers::replaySearch(observer->settings(), observer->state());
            QVERIFY(replay);
            const QJsonArray moves = expected[target][QStringLiteral("moves")].toArray();
            QCOMPARE(static_cast<qsizetype>(replay->moves.size()), moves.size());
            for (std::size_t m = 0; m < replay->moves.size(); ++m) {
                const QJsonObject row = moves[static_cast<qsizetype>(m)].toObject();
                const quant::SearchMove& move = replay->moves[m];
                QCOMPARE(static_cast<int>(move.startBin), row[QStringLiteral("start")].toInt());
                QCOMPARE(static_cast<int>(move.endBin), row[QStringLiteral("end")].toInt());
                const double norm = row[QStringLiteral("norm")].toDouble();
                QVERIFY2(std::fabs(move.norm - norm) < 1e-3 * norm, qPrintable(target));
            }
            QVERIFY(close(replay->result.min, expected[target][QStringLiteral("min")].toDouble()));
            QVERIFY(close(replay->result.max, expected[target][QStringLiteral("max")].toDouble()));
        }
    }

    void eachKindOfChange_data() { addCases(); }

    /// The output on the first batch, float against changed and converted.
    void eachKindOfChange()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString(), true);
        QVERIFY(material);
        const auto before = numbers::opErrors(*material);
        QVERIFY(before.ok());
        for (const QJsonValue& value : golden()[name][QStringLiteral("what_if")].toArray()) {
            const QJsonObject row = value.toObject();
            const auto gain = numbers::tryOut(*material, *before, {changeFrom(row)});
            const QString what =
                row[QStringLiteral("kind")].toString() + QLatin1Char(' ') + row[QStringLiteral("site")].toString();
            QVERIFY2(gain.ok(), qPrintable(what));
            const double expected = row[QStringLiteral("sqnr")].toDouble();
            // tiny's output has 40 values behind a rounding tie (see tst_op_errors): one level more or less is seen
            const double allowed = name == QStringLiteral("tiny.xnnpack") ? 3 : 0.01;
            QVERIFY2(std::fabs(gain->after.sqnr().value_or(0) - expected) < allowed,
                     qPrintable(QStringLiteral("%1: %2 dB, torch %3 dB")
                                    .arg(what)
                                    .arg(gain->after.sqnr().value_or(0))
                                    .arg(expected)));
        }
    }
};

QTEST_GUILESS_MAIN(TestRunFigures)
#include "tst_run_figures.moc"
