#include "panel_run.h"
#include "panel_set_up.h"
#include "plots/histogram_panel.h"
#include "plots/qparams_model.h"

using namespace gb;
using namespace gb::views;

class HistogramPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_recording = test::recordCase("conv_relu.xnnpack");
        QVERIFY(m_recording);
    }

    void followsTheSelection()
    {
        test::PanelSetUp<HistogramPanel> shown(m_recording, "calibrated");
        auto& [session, selection, panel] = shown;
        ObserverSource source(&session);
        for (const ObserverRow& row : source.rows()) {
            selection.set(ObserverSource::selectionOf(row));
            QTRY_COMPARE(panel.shownInstance(), row.instance);
            QCOMPARE(panel.shownView().facts().kind == ObserverKind::Histogram, row.info->type == "HistogramObserver");
        }
        const std::int64_t last = panel.shownInstance();
        selection.selectNode(1000000); // nothing that has an observer: the last one stays
        QTest::qWait(1);
        QCOMPARE(panel.shownInstance(), last);
    }

    void thePinnedOneStaysBeside()
    {
        test::PanelSetUp<HistogramPanel> shown(m_recording, "calibrated");
        auto& [session, selection, panel] = shown;
        ObserverSource source(&session);
        const std::vector<ObserverRow>& rows = source.rows();
        selection.set(ObserverSource::selectionOf(rows[0]));
        QTRY_COMPARE(panel.shownInstance(), rows[0].instance);
        QCOMPARE(panel.qparams().columnCount(), 2);
        panel.setPinned(true);
        selection.set(ObserverSource::selectionOf(rows[1]));
        QTRY_COMPARE(panel.shownInstance(), rows[1].instance);
        QCOMPARE(panel.pinnedInstance(), rows[0].instance);
        QCOMPARE(panel.qparams().columnCount(), 3);
        bool differ = false;
        for (int row = 0; row < panel.qparams().rowCount(); ++row)
            differ = differ || panel.qparams().differs(row);
        QVERIFY(differ);
        QCOMPARE(panel.shownView().xRange(), panel.pinnedView().xRange()); // linked
        panel.pinnedView().setFocus();
        QTest::keyClick(&panel.pinnedView(), Qt::Key_Plus);
        QCOMPARE(panel.shownView().xRange(), panel.pinnedView().xRange());
        panel.setPinned(false);
        QCOMPARE(panel.pinnedInstance(), -1);
        QCOMPARE(panel.qparams().columnCount(), 2);
    }

    void beforeCalibrationThereIsNoData()
    {
        test::PanelSetUp<HistogramPanel> shown(m_recording, "prepared");
        auto& [session, selection, panel] = shown;
        QTRY_VERIFY(panel.shownInstance() != -1);
        QVERIFY(panel.shownView().message().contains(QStringLiteral("No data")));
        session.toStage(QStringLiteral("calibrated"));
        QTRY_VERIFY(panel.shownView().message().isEmpty());
    }

    void anotherRecordingTakesThePinAway()
    {
        test::PanelSetUp<HistogramPanel> shown(m_recording, "calibrated");
        auto& [session, selection, panel] = shown;
        QTRY_VERIFY(panel.shownInstance() != -1);
        panel.setPinned(true);
        session.setRecording(nullptr);
        QTRY_COMPARE(panel.pinnedInstance(), -1);
        QTRY_COMPARE(panel.shownView().message(), QStringLiteral("No recording."));
    }

    void aHiddenPanelDoesNothing()
    {
        Session session;
        Selection selection;
        HistogramPanel panel(&session, &selection);
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        QTest::qWait(1);
        QCOMPARE(panel.shownInstance(), -1);
        panel.show();
        QTRY_VERIFY(panel.shownInstance() != -1);
    }

private:
    trace::RecordingPtr m_recording;
};

QTEST_MAIN(HistogramPanelTest)
#include "tst_histogram_panel.moc"
