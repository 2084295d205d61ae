// The tabs of explain: rows, banner, where a click leads; and the search results.
#include "panel_run.h"
#include "tables/explain_view.h"
#include "tables/search_view.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>

using namespace gb;
using namespace gb::views;

namespace {

/// A session with a recording, and explain done with it.
struct Shown {
    explicit Shown(const char* name, int batches = 2)
        : explanation(&session)
    {
        session.setRecording(test::recordCase(name, batches));
        test::waitFor(explanation);
    }
    Session session;
    Selection selection;
    Explanation explanation;
};

QStringList column(const RowsModel& model, int at)
{
    QStringList out;
    for (int row = 0; row < model.rowCount(); ++row)
        out << model.index(row, at).data().toString();
    return out;
}

} // namespace

class ExplainViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatACellCutsOffStandsBelowTheTable()
    {
        RowsModel model({QStringLiteral("Node"), QStringLiteral("What was found")});
        FilteredTable table(&model, RowsModel::SortRole, RowsModel::FullRole, QStringLiteral("none"));
        table.resize(400, 300);
        table.show();
        const QString longText =
            QStringLiteral("a sentence that is much longer than what fits beside a name ").repeated(3);
        RowItem item;
        item.cells = {QStringLiteral("relu"), longText};
        RowItem brief;
        brief.cells = {QStringLiteral("conv"), QStringLiteral("short")};
        model.setRows({item, brief});
        QCOMPARE(table.whole(), QString());
        table.setCurrentRow(0);
        QCOMPARE(table.whole(), longText);
        const auto labels = table.findChildren<QLabel*>();
        const auto shows = [&] {
            return std::ranges::any_of(labels,
                                       [&](const QLabel* l) { return !l->isHidden() && l->text() == longText; });
        };
        QVERIFY(shows());
        table.setCurrentRow(1);
        QCOMPARE(table.whole(), QString());
        QVERIFY(!shows());
        // the last column takes the room that is left, and no more
        QCOMPARE(table.view().horizontalScrollBar()->maximum(), 0);
    }

    void everyPartIsAModelWithACellEverywhere_data()
    {
        QTest::addColumn<int>("part");
        const char* names[] = {"problems", "coverage", "settings", "sharing", "ledger"};
        for (int i = 0; i < 5; ++i)
            QTest::newRow(names[i]) << i;
    }
    void everyPartIsAModelWithACellEverywhere()
    {
        QFETCH(int, part);
        const std::array parts{problemsPart(), coveragePart(), settingsPart(), sharingPart(), ledgerPart()};
        const ExplainPart& shown = parts[static_cast<std::size_t>(part)];
        Shown s("tiny.xnnpack");
        ExplainView view(shown, &s.session, &s.selection, &s.explanation);
        const QAbstractItemModelTester tester(const_cast<RowsModel*>(&view.model()));
        view.setTheme(Theme::of(ThemeKind::Dark));
        view.show();
        QCOMPARE(view.model().columnCount(), static_cast<int>(shown.headers.size()));
        QVERIFY(view.model().rowCount() > 0 || part == 0); // a good run has no problems
        for (int row = 0; row < view.model().rowCount(); ++row)
            QCOMPARE(view.model().row(row).cells.size(), static_cast<std::size_t>(shown.headers.size()));
    }

    void coverageHasABannerWhenNothingWasLabelled()
    {
        Shown none("nothing.xnnpack");
        ExplainView view(coveragePart(), &none.session, &none.selection, &none.explanation);
        view.show();
        QCOMPARE(view.banner(), QStringLiteral("Nothing was labelled: 2 of 2 ops stay in float."));
        QVERIFY(column(view.model(), 1).contains(QStringLiteral("aten.cos.default")));
        Shown some("conv_relu.xnnpack");
        ExplainView other(coveragePart(), &some.session, &some.selection, &some.explanation);
        other.show();
        QCOMPARE(other.banner(), QString());
    }

    void anObserverThatNeverRanIsAProblemThatLeadsToItsNode()
    {
        Shown s("conv_relu.xnnpack", 0);
        ExplainView view(problemsPart(), &s.session, &s.selection, &s.explanation);
        view.show();
        const int row = static_cast<int>(column(view.model(), 1).indexOf(QStringLiteral("observer never ran")));
        QVERIFY(row >= 0);
        view.table().view().setCurrentIndex(view.table().view().model()->index(row, 0));
        QCOMPARE(s.selection.current().node, view.model().row(row).node);
        QCOMPARE(s.session.cursor(), view.model().row(row).event);
        s.selection.clear();
        QCOMPARE(view.table().currentRow(), -1);
    }

    void aSettingThatNobodyReadsIsStruckThrough()
    {
        Shown s("nested.operator_type");
        ExplainView view(settingsPart(), &s.session, &s.selection, &s.explanation);
        view.show();
        QVERIFY(view.model().row(0).struck);
        QVERIFY(view.model().index(0, 0).data(Qt::FontRole).value<QFont>().strikeOut());
    }

    void withoutARecordingItSaysSo()
    {
        Session session;
        Selection selection;
        Explanation explanation(&session);
        ExplainView view(problemsPart(), &session, &selection, &explanation);
        view.show();
        QCOMPARE(view.model().rowCount(), 0);
        QVERIFY(!explanation.report());
    }

    void aNewRecordingReplacesTheReport()
    {
        Shown s("nothing.xnnpack");
        const auto before = s.explanation.report();
        s.session.setRecording(test::recordCase("conv_relu.xnnpack"));
        QVERIFY(!s.explanation.report());
        test::waitFor(s.explanation);
        QVERIFY(s.explanation.report() && s.explanation.report() != before);
    }

    void aSearchFindsAndTheKeysWalkTheHits()
    {
        Shown s("conv_relu.xnnpack");
        SearchView view(&s.selection, &s.explanation);
        view.setTheme(Theme::of(ThemeKind::Light));
        view.search(QStringLiteral("kind:observer"));
        QVERIFY(view.hitCount() > 1);
        view.next();
        const ir::NodeId first = s.selection.current().node;
        QVERIFY(first != ir::kNoNode);
        view.next();
        QVERIFY(s.selection.current().node != first);
        view.previous();
        QCOMPARE(s.selection.current().node, first);
        view.previous(); // around
        QCOMPARE(view.table().currentRow(), view.hitCount() - 1);
    }

    void anErrorInASearchIsSaidAndKeepsTheHits()
    {
        Shown s("conv_relu.xnnpack");
        SearchView view(&s.selection, &s.explanation);
        view.search(QStringLiteral("relu"));
        const int hits = view.hitCount();
        QVERIFY(hits > 0);
        view.search(QStringLiteral("relu opp:x"));
        QVERIFY(view.message().startsWith(QStringLiteral("column 6: no field \"opp\"")));
        QCOMPARE(view.hitCount(), hits);
        view.search(QStringLiteral("no_such_node"));
        QCOMPARE(view.hitCount(), 0);
        view.next();
    }
};

QTEST_MAIN(ExplainViewTest)
#include "tst_explain_view.moc"
