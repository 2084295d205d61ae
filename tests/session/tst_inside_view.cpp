// The list of what happened inside the event under the cursor.
#include "small_run.h"
#include "stages/inside_view.h"

#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>

using namespace gb;
using namespace gb::views;

class InsideViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAModel()
    {
        InsideModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSteps({{base::message("one")}, {base::message("two of {0}", 3)}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, InsideModel::Sentence).data().toString(), QStringLiteral("two of 3"));
        QCOMPARE(model.index(1, InsideModel::Number).data().toInt(), 2);
        model.setSteps({});
        QCOMPARE(model.rowCount(), 0);
    }

    void isThereOnlyWhereSomethingIsInside()
    {
        Session session;
        InsideView view(&session);
        QVERIFY(view.isHidden());
        session.setRecording(test::observedRun());
        QVERIFY(view.isHidden()); // the stage at the end
        session.setCursor(1);
        QVERIFY(!view.isHidden());
        QCOMPARE(view.table().model()->rowCount(), 2);
        session.setCursor(2);
        QVERIFY(view.isHidden());
    }

    void rowAndInnerCursorFollowEachOther()
    {
        Session session;
        InsideView view(&session);
        session.setRecording(test::observedRun());
        session.setCursor(1);
        QVERIFY(!view.table().currentIndex().isValid());
        session.stepInto();
        QCOMPARE(view.table().currentIndex().row(), 0);
        view.table().selectionModel()->setCurrentIndex(view.table().model()->index(1, 0),
                                                       QItemSelectionModel::SelectCurrent);
        QCOMPARE(session.inner(), 1);
        session.stepOut();
        QVERIFY(!view.table().currentIndex().isValid());
    }
};

QTEST_MAIN(InsideViewTest)
#include "tst_inside_view.moc"
