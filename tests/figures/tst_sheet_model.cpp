#include "figures/sheet_model.h"
#include "figures/sheet_view.h"
#include "numbers/zoo.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include <limits>

using namespace gb;
using base::message;
using views::SheetModel;

namespace {

numbers::Sheet sample()
{
    numbers::Sheet sheet;
    sheet.what = "sample";
    sheet.columns = {{"op", message("op")}, {"sqnr_db", message("SQNR (dB)")}};
    sheet.rows = {{{std::string("conv"), 12.345678}, 4},
                  {{std::string("relu"), numbers::Cell()}, 5},
                  {{std::string("add"), std::numeric_limits<double>::infinity()}, 6}};
    sheet.notes = {message("output {0}", 3)};
    return sheet;
}

QString textOf(const SheetModel& model, int row, int column, int role = Qt::DisplayRole)
{
    return model.index(row, column).data(role).toString();
}

} // namespace

class TestSheetModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsShortAndCopiesWhole()
    {
        SheetModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSheet(sample());
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("SQNR (dB)"));
        QCOMPARE(textOf(model, 0, 1), QStringLiteral("12.35"));
        QCOMPARE(textOf(model, 0, 1, SheetModel::FullRole), QStringLiteral("12.345678"));
        QCOMPARE(textOf(model, 1, 1), QStringLiteral("—"));
        QCOMPARE(textOf(model, 2, 1), QStringLiteral("∞"));
        QCOMPARE(model.rowOf(5), 1);
        QCOMPARE(model.rowOf(99), -1);
        QCOMPARE(model.rowOf(ir::kNoNode), -1);
    }

    void cellsThatDifferAreBold()
    {
        numbers::Sheet sheet = sample();
        sheet.columns.push_back({"differ", message("differ")});
        for (std::size_t r = 0; r < sheet.rows.size(); ++r)
            sheet.rows[r].cells.emplace_back(r == 1);
        SheetModel model;
        model.setSheet(sheet);
        QVERIFY(!model.index(0, 0).data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
    }

    /// Side by side, it is the cells that are not the first observer's.
    void inTheZooTheOddOneIsBold()
    {
        const auto animals =
            numbers::runZoo({{"MinMaxObserver", {{"dtype", ir::DType::Int8}}},
                             {"MinMaxObserver", {{"dtype", ir::DType::Int8}}},
                             {"MinMaxObserver", {{"dtype", ir::DType::UInt8}}}},
                            std::vector<ir::Tensor>{ir::Tensor::fromVector(std::vector<float>{-1, 2})});
        QVERIFY(animals.ok());
        SheetModel model;
        model.setSheet(numbers::zooSheet(*animals));
        const auto bold = [&model](int row, int column) {
            return model.index(row, column).data(Qt::FontRole).value<QFont>().bold();
        };
        const int dtype = 2; // the third property
        QCOMPARE(textOf(model, dtype, 0), QStringLiteral("dtype"));
        QVERIFY(bold(dtype, 0) && bold(dtype, 1) && !bold(dtype, 2) && bold(dtype, 3));
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!bold(0, column)); // all are of one class
    }

    void aRowSelectsItsNodeAndFollowsIt()
    {
        views::Selection selection;
        views::SheetView view(&selection, QStringLiteral("nothing"));
        view.setSheet(sample());
        QCOMPARE(view.notes(), QStringLiteral("output 3"));
        selection.selectNode(6);
        QCOMPARE(view.currentRow(), 2);
        QSignalSpy chosen(&view, &views::SheetView::rowChosen);
        view.table().view().setCurrentIndex(view.table().view().model()->index(0, 0));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(selection.current().node, ir::NodeId(4));
        view.setMessage(QStringLiteral("working"));
        QCOMPARE(view.model().rowCount(), 0);
        QVERIFY(view.notes().isEmpty());
    }

    /// Sorting is by value, not by text.
    void numbersSortByValue()
    {
        views::Selection selection;
        views::SheetView view(&selection, QString());
        numbers::Sheet sheet = sample();
        sheet.rows[1].cells[1] = 9.5;
        view.setSheet(sheet);
        view.table().view().sortByColumn(1, Qt::AscendingOrder);
        const auto* model = view.table().view().model();
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("relu"));
        QCOMPARE(model->index(2, 0).data().toString(), QStringLiteral("add"));
        QVERIFY(view.table().tsv().startsWith(QStringLiteral("op\tSQNR (dB)\nrelu\t9.5")));
    }
};

QTEST_MAIN(TestSheetModel)
#include "tst_sheet_model.moc"
