#include "small_run.h"
#include "stages/event_tree_model.h"
#include "stages/stages_view.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace gb;
using gb::views::EventTreeModel;

namespace {

/// The model as indented text, "sentence | change".
void write(const QAbstractItemModel& model, const QModelIndex& parent, int depth, QStringList& lines)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString change = index.siblingAtColumn(EventTreeModel::Delta).data().toString();
        lines << QString(2 * depth, QLatin1Char(' ')) + index.data().toString()
                     + (change.isEmpty() ? QString() : QStringLiteral(" | ") + change);
        write(model, index, depth + 1, lines);
    }
}

} // namespace

class EventTreeModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAModel()
    {
        EventTreeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setRecording(test::smallRun());
        QCOMPARE(model.rowCount(), 3);
        model.setRecording(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void showsStagesWithWhatHappenedInThem()
    {
        EventTreeModel model;
        model.setRecording(test::smallRun());
        QStringList lines;
        write(model, {}, 0, lines);
        const QStringList expected = {
            QStringLiteral("Exported"),
            QStringLiteral("  load happened"),
            QStringLiteral("Annotated | +1 label(s)"),
            QStringLiteral("  annotate happened | +1 label(s)"),
            QStringLiteral("    relu happened | +1 label(s)"),
            QStringLiteral("      relu happened | +1 label(s)"),
            QStringLiteral("        relu happened | +1 label(s)"),
            QStringLiteral("    1 without effect, with 2 attempt(s)"),
            QStringLiteral("      conv happened"),
            QStringLiteral("        first happened"),
            QStringLiteral("        second happened"),
            QStringLiteral("Prepared | +1 observer(s)"),
            QStringLiteral("  prepare happened | +1 observer(s)"),
            QStringLiteral("    observer happened | +1 observer(s)"),
        };
        QCOMPARE(lines.join(QLatin1Char('\n')), expected.join(QLatin1Char('\n')));
    }

    void attemptsAloneAreFoldedAsAttempts()
    {
        trace::Recorder r({});
        {
            const auto rule = r.open(test::made(trace::EventKind::Rule, "conv"));
            r.say(test::made(trace::EventKind::Attempt, "first"));
            r.say(test::made(trace::EventKind::Attempt, "second"));
            r.stage("exported", base::message("exported")); // something with an effect beside them
        }
        EventTreeModel model;
        model.setRecording(r.publish());
        QStringList lines;
        write(model, {}, 0, lines);
        QVERIFY2(lines.filter(QStringLiteral("2 without effect")).isEmpty(), qPrintable(lines.join(QLatin1Char('\n'))));
        QCOMPARE(lines.filter(QStringLiteral("attempt(s)")).size(), 1);
    }

    void everyEventHasItsRow()
    {
        EventTreeModel model;
        const auto recording = test::smallRun();
        model.setRecording(recording);
        for (int i = 0; i < static_cast<int>(recording->events.size()); ++i)
            QCOMPARE(model.indexOfEvent(i).data(EventTreeModel::EventRole).toInt(), i);
        QVERIFY(!model.indexOfEvent(-1).isValid() && !model.indexOfEvent(99).isValid());
    }

    void aRunThatEndedEarlyIsThereToItsEnd()
    {
        trace::Recorder r({});
        r.say(test::made(trace::EventKind::Load, "load"));
        r.stage("exported", base::message("exported"));
        r.fail({base::ErrorCode::ValueError, "no", "node x"});
        EventTreeModel model;
        model.setRecording(r.publish());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("ValueError: node x: no"));
        QCOMPARE(model.index(1, 0).data(EventTreeModel::KindRole).toString(), QStringLiteral("error"));
    }

    void cursorAndCurrentRowFollowEachOther()
    {
        views::Session session;
        views::StagesView view(&session);
        session.setRecording(test::smallRun());
        QCOMPARE(view.currentIndex().data(EventTreeModel::EventRole).toInt(), 12);
        session.setCursor(8);
        QCOMPARE(view.currentIndex().data(EventTreeModel::EventRole).toInt(), 8);
        view.setCurrentIndex(view.events().indexOfEvent(11));
        QCOMPARE(session.cursor(), 11);
    }
};

QTEST_MAIN(EventTreeModelTest)
#include "tst_event_tree_model.moc"
