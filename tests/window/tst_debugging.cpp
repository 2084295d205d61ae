// Debugging in the whole window: keys, the menu of a node, breakpoints that stay, groups as hulls.
#include "inspector/inspector_page.h"
#include "timeline/breakpoint_list.h"
#include "window/main_window.h"
#include "window_set_up.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;
using test::sample;

namespace {

QAction* entry(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions())
        if (QString(action->text()).remove(QLatin1Char('&')) == text)
            return action;
    return nullptr;
}

} // namespace

class DebuggingTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    void select(const char* node)
    {
        m_window->selection()->selectNode(m_window->session()->moment()->top().graph->find(node)->id());
    }
    void focusGraph()
    {
        m_window->activateWindow();
        m_window->panes()->pane(0)->canvas()->setFocus();
        QTRY_VERIFY(m_window->panes()->pane(0)->canvas()->hasFocus());
    }
    void press(Qt::Key key) { QTest::keyClick(m_window->panes()->pane(0)->canvas(), key); }

private Q_SLOTS:
    void initTestCase() { test::keepSettingsIn(m_folder); }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        m_window->open(
            {sample("models/conv_relu.pt2"), sample("recipes/xnnpack.json"), sample("inputs/conv_relu.npz"), false});
        QVERIFY(QTest::qWaitFor([this] { return !m_window->busy(); }, 60000));
        QVERIFY(m_window->document().has_value());
    }
    void cleanup() { m_window.reset(); }

    void intoAndOutOfAScaleAndZeroPoint()
    {
        const auto& events = m_window->session()->recording()->events;
        int qparams = 0;
        while (events[static_cast<std::size_t>(qparams)].kind != trace::EventKind::QParams)
            ++qparams;
        m_window->session()->setCursor(qparams);
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        QCOMPARE(m_window->session()->cursor(), qparams);
        QCOMPARE(m_window->session()->inner(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_F10);
        QCOMPARE(m_window->session()->inner(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_BracketLeft, Qt::ControlModifier);
        QCOMPARE(m_window->session()->inner(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(m_window->session()->cursor() > qparams);
        QCOMPARE(m_window->session()->inner(), -1);
    }

    void lettersStepWhileAGraphHasTheFocus()
    {
        const int start = m_window->session()->cursor();
        focusGraph();
        press(Qt::Key_N);
        QVERIFY(m_window->session()->cursor() > start);
        press(Qt::Key_B);
        QCOMPARE(m_window->session()->cursor(), start);
    }

    void toTheNextEventOfANodeAndBackToABreakpoint()
    {
        views::Session& session = *m_window->session();
        const auto touches = [&session](ir::NodeId node) {
            const auto& nodes = session.current()->nodes;
            return std::ranges::find(nodes, node) != nodes.end();
        };
        select("relu");
        const ir::NodeId relu = m_window->selection()->current().node;
        QTest::keyClick(m_window.get(), Qt::Key_Home);
        QTest::keyClick(m_window.get(), Qt::Key_F10, Qt::ControlModifier);
        QVERIFY(touches(relu));
        const int first = session.cursor();
        QTest::keyClick(m_window.get(), Qt::Key_F10, Qt::ControlModifier);
        QVERIFY(session.cursor() > first && touches(relu));
        m_window->docks().breakpoints().add(QStringLiteral("event:qparams"));
        QTest::keyClick(m_window.get(), Qt::Key_End);
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QCOMPARE(session.current()->kind, trace::EventKind::QParams);
        const int last = session.cursor();
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(session.cursor() < last);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QCOMPARE(session.cursor(), last);
    }

    void gShowsTheGroups()
    {
        focusGraph();
        views::GraphCanvas* canvas = m_window->panes()->pane(0)->canvas();
        QVERIFY(canvas->hulls().empty());
        press(Qt::Key_G);
        m_window->session()->toStage(QStringLiteral("prepared"));
        // conv and relu have a group each of one: what is drawn is what the picture says
        QCOMPARE(canvas->hulls().size(), views::hullsOf(*canvas->picture()).size());
        press(Qt::Key_G);
        QVERIFY(canvas->hulls().empty());
    }

    void theMenuOfANode()
    {
        m_window->selection()->clear();
        for (const QString& text : {QStringLiteral("Why"), QStringLiteral("Show origin"), QStringLiteral("Break here"),
                                    QStringLiteral("Copy qspec as Python")})
            QVERIFY2(!entry(*m_window->nodeMenu(), text)->isEnabled(), qPrintable(text));
        select("relu");
        const std::unique_ptr<QMenu> menu = m_window->nodeMenu();
        QVERIFY(entry(*menu, QStringLiteral("Copy as picture"))->isEnabled());
        entry(*menu, QStringLiteral("Copy qspec as Python"))->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(
            QStringLiteral("relu.meta[\"quantization_annotation\"] = QuantizationAnnotation(\n")));
        entry(*menu, QStringLiteral("Break here"))->trigger();
        QCOMPARE(m_window->docks().breakpoints().kept(), QStringList{QStringLiteral("on node:relu")});
        entry(*menu, QStringLiteral("Show origin"))->trigger();
        const trace::Event& origin = *m_window->session()->current();
        QCOMPARE(origin.kind, trace::EventKind::Annotate);
        QCOMPARE(origin.nodes.front(), m_window->selection()->current().node);
        entry(*menu, QStringLiteral("Show history"))->trigger();
        const auto pages = m_window->findChildren<views::InspectorPage*>();
        QCOMPARE(pages.size(), 1);
        QVERIFY(pages[0]->verdict().contains(QStringLiteral("History of the label")));
        entry(*menu, QStringLiteral("Add to compare"))->trigger();
        QCOMPARE(m_window->findChildren<views::InspectorPage*>().size(), 2);
    }

    void aLabelAloneIsCopied()
    {
        const auto& graph = *m_window->session()->moment()->top().graph;
        const ir::Node* conv = graph.find("conv2d");
        m_window->selection()->selectLabel({conv->arg(0).nodeId(), conv->id()});
        entry(*m_window->nodeMenu(), QStringLiteral("Copy qspec as Python"))->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("QuantizationSpec(dtype=torch.int8")));
    }

    void breakpointsStayForTheNextSession()
    {
        m_window->docks().breakpoints().add(QStringLiteral("event:fold"));
        MainWindow next;
        QCOMPARE(next.docks().breakpoints().kept(), QStringList{QStringLiteral("on event:fold")});
    }

    void breakpointsMayBeSetWhileARunIsAtWork()
    {
        m_window->open({sample("models/residual.pt2"), sample("recipes/xnnpack.json"), {}, false});
        QVERIFY(m_window->busy());
        QVERIFY(m_window->docks().breakpoints().add(QStringLiteral("unlabelled:*")));
        QVERIFY(QTest::qWaitFor([this] { return !m_window->busy(); }, 60000));
        QCOMPARE(m_window->docks().breakpoints().kept(), QStringList{QStringLiteral("on unlabelled:*")});
        QVERIFY(!m_window->docks().breakpoints().stops().empty());
    }
};

QTEST_MAIN(DebuggingTest)
#include "tst_debugging.moc"
