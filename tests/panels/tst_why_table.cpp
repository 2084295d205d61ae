#include "panel_run.h"
#include "tables/why_table.h"

#include <QAbstractItemModelTester>
#include <QTableView>

using namespace gb;
using namespace gb::views;

namespace {

Reason reason(ir::NodeId node, const char* name, const char* code)
{
    Reason r;
    r.node = node;
    r.name = QLatin1String(name);
    r.target = QStringLiteral("aten.mul.Tensor");
    r.code = QLatin1String(code);
    r.verdict = QStringLiteral("by design");
    r.sentence = QStringLiteral("because");
    return r;
}

} // namespace

class WhyTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void codesSortByNumber()
    {
        WhyTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setReasons({reason(1, "a", "R11"), reason(2, "b", "R2")});
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(WhyTableModel::SortRole);
        sorted.sort(WhyTableModel::Code);
        QCOMPARE(sorted.index(0, WhyTableModel::Code).data().toString(), QStringLiteral("R2"));
        QCOMPARE(model.rowOf(2), 1);
        QCOMPARE(model.rowOf(3), -1);
    }

    void listsOpsWithoutALabelOnly()
    {
        const trace::RecordingPtr recording = test::recordCase("nothing.xnnpack");
        QVERIFY(recording);
        Session session;
        Selection selection;
        const Explanation explanation(&session);
        WhyTable table(&selection, &explanation);
        table.show();
        session.setRecording(recording);
        test::waitFor(explanation);
        QVERIFY(table.model().rowCount() > 0);
        for (int row = 0; row < table.model().rowCount(); ++row) {
            QVERIFY(table.model().reason(row).isUnlabelled());
            for (int column = 0; column < WhyTableModel::ColumnCount; ++column)
                QVERIFY(!table.model().index(row, column).data().toString().isEmpty());
        }
    }

    void aClickSelectsTheNodeAndTheSelectionMovesTheRow()
    {
        const trace::RecordingPtr recording = test::recordCase("nothing.xnnpack");
        Session session;
        Selection selection;
        const Explanation explanation(&session);
        WhyTable table(&selection, &explanation);
        table.show();
        session.setRecording(recording);
        test::waitFor(explanation);
        table.table().view().setCurrentIndex(table.table().view().model()->index(0, 0));
        QCOMPARE(selection.current().node, table.model().reason(0).node);
        selection.clear();
        QCOMPARE(table.table().currentRow(), -1);
    }

    void nothingToSayIsSaid()
    {
        Session session;
        Selection selection;
        const Explanation explanation(&session);
        WhyTable table(&selection, &explanation);
        table.show();
        QCOMPARE(table.model().rowCount(), 0);
        session.setRecording(test::recordCase("conv_relu.xnnpack"));
        QCOMPARE(table.model().rowCount(), 0); // conv2d and relu both have a label
    }
};

QTEST_MAIN(WhyTableTest)
#include "tst_why_table.moc"
