#include "tables/messages_view.h"
#include "trace/recorder.h"

#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

void say(trace::Recorder& recorder, trace::EventKind kind, const char* sentence, std::vector<ir::NodeId> nodes = {})
{
    trace::Event event;
    event.kind = kind;
    event.sentence = base::message(sentence);
    event.nodes = std::move(nodes);
    recorder.say(std::move(event));
}

/// load, note, rule, drop of node 7, compare, error
trace::RecordingPtr talkative()
{
    trace::Recorder recorder{{}};
    say(recorder, trace::EventKind::Load, "loaded");
    say(recorder, trace::EventKind::Note, "a note");
    say(recorder, trace::EventKind::Rule, "a rule");
    say(recorder, trace::EventKind::Drop, "a label was dropped", {7});
    say(recorder, trace::EventKind::Compare, "outputs are equal");
    recorder.fail({base::ErrorCode::ValueError, "it went wrong", "node conv2d"});
    return recorder.publish();
}

QString rows(const QAbstractItemModel& model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < 2; ++column)
            cells << model.index(row, column).data().toString();
        lines << cells.join(QLatin1Char(' '));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class MessagesViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsWhatTheRunSaid()
    {
        MessagesModel model;
        const QAbstractItemModelTester tester(&model);
        model.setRecording(talkative());
        QCOMPARE(rows(model), QStringLiteral("1 note\n3 no observer\n4 compared\n5 error"));
        QCOMPARE(model.errorCount(), 1);
        QVERIFY(model.index(3, MessagesModel::Sentence).data().toString().contains(QStringLiteral("it went wrong")));
        QCOMPARE(model.rowOf(4), 2);
        QCOMPARE(model.rowOf(2), -1);
        model.setTheme(Theme::of(ThemeKind::Dark));
        QCOMPARE(model.index(3, MessagesModel::Kind).data(Qt::ForegroundRole).value<QColor>(),
                 Theme::of(ThemeKind::Dark).ink(Ink::Error));
        model.setRecording(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void aClickMovesTheCursorAndSelects()
    {
        Session session;
        Selection selection;
        MessagesView view(&session, &selection);
        view.show();
        session.setRecording(talkative());
        QTableView& table = view.table().view();
        table.setCurrentIndex(table.model()->index(1, 0));
        QCOMPARE(session.cursor(), 3);
        QCOMPARE(selection.current().node, ir::NodeId(7));
    }

    void theCursorMovesTheRow()
    {
        Session session;
        Selection selection;
        MessagesView view(&session, &selection);
        session.setRecording(talkative());
        session.setCursor(4);
        QCOMPARE(view.table().currentRow(), 2);
        session.setCursor(2);
        QCOMPARE(view.table().currentRow(), -1);
        QCOMPARE(session.cursor(), 2); // following does not move the cursor
    }

    void stepsSortAsNumbers()
    {
        trace::Recorder recorder{{}};
        for (int i = 0; i < 12; ++i)
            say(recorder, trace::EventKind::Note, "a note");
        MessagesModel model;
        model.setRecording(recorder.publish());
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(MessagesModel::SortRole);
        sorted.sort(MessagesModel::Step);
        QCOMPARE(sorted.index(2, 0).data().toString(), QStringLiteral("2"));
        QCOMPARE(sorted.index(11, 0).data().toString(), QStringLiteral("11"));
    }
};

QTEST_MAIN(MessagesViewTest)
#include "tst_messages_view.moc"
