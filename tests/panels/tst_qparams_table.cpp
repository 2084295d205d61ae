#include "panel_run.h"
#include "panel_set_up.h"
#include "tables/qparams_table.h"

#include <QAbstractItemModelTester>
#include <QTableView>

using namespace gb;
using namespace gb::views;

class QparamsTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_recording = test::recordCase("conv_relu.xnnpack");
        QVERIFY(m_recording);
    }

    void rowsShowSettingsAndQParams()
    {
        Session session;
        Selection selection;
        QparamsTable table(&session, &selection);
        const QAbstractItemModelTester tester(&const_cast<QparamsTableModel&>(table.model()));
        table.show();
        QCOMPARE(table.model().rowCount(), 0);
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        QCOMPARE(table.model().rowCount(), 3);
        int weights = 0;
        for (int row = 0; row < 3; ++row) {
            const auto text = [&](int column) { return table.model().index(row, column).data().toString(); };
            QCOMPARE(text(QparamsTableModel::DType), QStringLiteral("int8"));
            QVERIFY(text(QparamsTableModel::Scale) != QStringLiteral("—"));
            if (text(QparamsTableModel::Observes) == QLatin1String("conv_weight")) {
                QCOMPARE(text(QparamsTableModel::QuantRange), QStringLiteral("−127 … 127"));
                QCOMPARE(text(QparamsTableModel::ZeroPoint), QStringLiteral("0"));
                QVERIFY(text(QparamsTableModel::Scale).contains(QStringLiteral(" … "))); // one a channel
                ++weights;
            }
        }
        QCOMPARE(weights, 1);
    }

    void numbersSortByValue()
    {
        test::PanelSetUp<QparamsTable> setUp(m_recording, "calibrated");
        auto& [session, selection, table] = setUp;
        table.table().view().sortByColumn(QparamsTableModel::Min, Qt::AscendingOrder);
        double last = -1e300;
        const QAbstractItemModel& shown = *table.table().view().model();
        for (int row = 0; row < shown.rowCount(); ++row) {
            const double value = shown.index(row, QparamsTableModel::Min).data(QparamsTableModel::SortRole).toDouble();
            QVERIFY(value >= last);
            last = value;
        }
    }

    void aClickSelectsTheObserverAndTheSelectionMovesTheRow()
    {
        test::PanelSetUp<QparamsTable> setUp(m_recording, "calibrated");
        auto& [session, selection, table] = setUp;
        table.table().view().setCurrentIndex(table.table().view().model()->index(1, 0));
        QCOMPARE(selection.current().node, table.model().row(1).nodes.front());
        selection.selectNode(table.model().row(2).nodes.front());
        QCOMPARE(table.table().currentRow(), 2);
        selection.selectNode(1000000);
        QCOMPARE(table.table().currentRow(), -1);
    }

    void theFilterHidesRowsAndTsvHasFullPrecision()
    {
        test::PanelSetUp<QparamsTable> setUp(m_recording, "calibrated");
        auto& [session, selection, table] = setUp;
        table.table().setFilter(QStringLiteral("conv_weight"));
        QCOMPARE(table.table().visibleRows(), 1);
        table.table().setFilter({});
        const QStringList lines = table.table().tsv().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines.front().startsWith(QStringLiteral("Observer\tObserves\tType")));
        const QStringList cells = lines[2].split(QLatin1Char('\t'));
        QCOMPARE(cells.size(), static_cast<int>(QparamsTableModel::ColumnCount));
        QCOMPARE(cells[QparamsTableModel::Observes], QStringLiteral("x"));
        const double scale = table.model().row(1).state().qparams->scale.at(0);
        QCOMPARE(static_cast<float>(cells[QparamsTableModel::Scale].toDouble()), static_cast<float>(scale));
        QVERIFY(!table.table().tsv().contains(QChar(0x2212))); // for a spreadsheet: ASCII minus
    }

    void aHiddenTableDoesNothing()
    {
        Session session;
        Selection selection;
        QparamsTable table(&session, &selection);
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        QCOMPARE(table.model().rowCount(), 0);
        table.show();
        QCOMPARE(table.model().rowCount(), 3);
    }

private:
    trace::RecordingPtr m_recording;
};

QTEST_MAIN(QparamsTableTest)
#include "tst_qparams_table.moc"
