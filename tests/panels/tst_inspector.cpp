#include "inspector/event_list_model.h"
#include "inspector/inspector.h"
#include "inspector/inspector_page.h"
#include "panel_run.h"
#include "plots/qparams_model.h"

#include <QTableView>
#include <QTextBrowser>

using namespace gb;
using namespace gb::views;

class InspectorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (!m_recording)
            m_recording = test::recordCase("conv_relu.xnnpack");
        QVERIFY(m_recording);
        m_session = std::make_unique<Session>();
        m_selection = std::make_unique<Selection>();
        m_explanation = std::make_unique<Explanation>(m_session.get());
        m_inspector = std::make_unique<Inspector>(m_session.get(), m_selection.get(), m_explanation.get());
        m_inspector->resize(400, 600);
        m_inspector->show();
    }

    void cleanup()
    {
        m_inspector.reset();
        m_explanation.reset();
    }

    void saysSoWithoutRecordingAndSelection()
    {
        QVERIFY(m_inspector->page().text().contains(QStringLiteral("No recording.")));
        m_session->setRecording(m_recording, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        QVERIFY(m_inspector->page().text().contains(QStringLiteral("Nothing is selected.")));
    }

    void followsSelectionAndCursor()
    {
        m_session->setRecording(m_recording, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        m_selection->selectNode(test::nodeAt(*m_session->moment(), "conv2d"));
        InspectorPage& page = m_inspector->page();
        QVERIFY(page.text().startsWith(QStringLiteral("conv2d\nop\n")));
        QVERIFY(page.text().contains(QStringLiteral("_annotated: True")));
        m_session->toStage(QStringLiteral("exported"));
        QVERIFY(!page.text().contains(QStringLiteral("_annotated")));
        QVERIFY(page.code().contains(QStringLiteral("forward"))
                || page.code().contains(QStringLiteral("No stack trace")));
    }

    void whySaysWhichRuleLabelledAndAClickGoesThere()
    {
        m_session->setRecording(m_recording, QStringLiteral("converted"));
        test::waitFor(*m_explanation);
        m_session->toStage(QStringLiteral("annotated"));
        m_selection->selectNode(test::nodeAt(*m_session->moment(), "relu"));
        InspectorPage& page = m_inspector->page();
        QVERIFY2(page.verdict().startsWith(QStringLiteral("Labelled at event ")), qPrintable(page.verdict()));
        m_inspector->showTab(Inspector::Why);
        QVERIFY(page.events().rowCount() > 0);
        QTableView* table = nullptr;
        for (QTableView* view : page.findChildren<QTableView*>())
            if (view->model() == &page.events())
                table = view;
        QVERIFY(table);
        Q_EMIT table->clicked(table->model()->index(0, 0));
        QCOMPARE(m_session->cursor(), page.events().eventOf(0));
    }

    void anUnlabelledNodeGetsCodeAndVerdict()
    {
        const trace::RecordingPtr nothing = test::recordCase("nothing.xnnpack");
        QVERIFY(nothing);
        m_session->setRecording(nothing, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        for (const ir::Node* n = m_session->moment()->top().graph->first(); n; n = n->next())
            if (n->op() == ir::Op::CallFunction && !n->annotation()) {
                m_selection->selectNode(n->id());
                break;
            }
        QVERIFY2(m_inspector->page().verdict().startsWith(QStringLiteral("No label · R")),
                 qPrintable(m_inspector->page().verdict()));
    }

    void qparamsOfALabelAreItsObservers()
    {
        m_session->setRecording(m_recording, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        const ir::NodeId conv = test::nodeAt(*m_session->moment(), "conv2d");
        m_selection->selectLabel({test::nodeAt(*m_session->moment(), "x"), conv});
        QVERIFY(m_inspector->page().qparams().rowCount() > 0);
        QVERIFY(m_inspector->page().text().contains(QStringLiteral("an input label of it is selected")));
        m_selection->selectNode(conv); // the fused op has no observer of its own
        QCOMPARE(m_inspector->page().qparams().rowCount(), 0);
    }

    void thePinnedPageStays()
    {
        m_session->setRecording(m_recording, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        m_selection->selectNode(test::nodeAt(*m_session->moment(), "conv2d"));
        m_inspector->setPinned(true);
        m_selection->selectNode(test::nodeAt(*m_session->moment(), "relu"));
        QVERIFY(m_inspector->pinnedPage()->text().startsWith(QStringLiteral("conv2d")));
        QVERIFY(m_inspector->page().text().startsWith(QStringLiteral("relu")));
        m_session->setRecording(m_recording); // another run: its node numbers are others
        QVERIFY(!m_inspector->pinnedPage());
    }

    void linksSelectNodesAndMoveTheCursor()
    {
        m_session->setRecording(m_recording, QStringLiteral("annotated"));
        test::waitFor(*m_explanation);
        const ir::NodeId conv = test::nodeAt(*m_session->moment(), "conv2d");
        const ir::NodeId relu = test::nodeAt(*m_session->moment(), "relu");
        m_selection->selectNode(conv);
        auto* facts = m_inspector->page().findChild<QTextBrowser*>();
        QVERIFY(facts);
        Q_EMIT facts->anchorClicked(QUrl(QStringLiteral("node:%1").arg(relu)));
        QCOMPARE(m_selection->current().node, relu);
        Q_EMIT facts->anchorClicked(QUrl(QStringLiteral("event:2")));
        QCOMPARE(m_session->cursor(), 2);
        Q_EMIT facts->anchorClicked(QUrl(QStringLiteral("http://example.org/1"))); // text of a model leads nowhere
        QCOMPARE(m_selection->current().node, relu);
        QCOMPARE(m_session->cursor(), 2);
    }

private:
    trace::RecordingPtr m_recording;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Explanation> m_explanation;
    std::unique_ptr<Inspector> m_inspector;
};

QTEST_MAIN(InspectorTest)
#include "tst_inspector.moc"
