#include "window/docks.h"

#include "canvas/outline_view.h"
#include "figures/numbers_panel.h"
#include "inspector/inspector.h"
#include "plots/histogram_panel.h"
#include "stages/inside_view.h"
#include "stages/stages_view.h"
#include "tables/explain_view.h"
#include "tables/messages_view.h"
#include "tables/qparams_table.h"
#include "tables/search_view.h"
#include "tables/why_table.h"
#include "timeline/breakpoint_list.h"
#include "window/scrolled.h"

#include <QCoreApplication>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

namespace gb::app {
namespace {
constexpr int kLeastBottom = 150; ///< a table of a few rows
constexpr int kPlotRoom = 300;    ///< a histogram with its ranges and words

QString tr(const char* text)
{
    return QCoreApplication::translate("docks", text);
}
/// The events, and below them what is inside the current one.
QWidget* stagesPanel(views::StagesView* stages, views::Session* session)
{
    auto* panel = new QSplitter(Qt::Vertical);
    panel->addWidget(stages);
    panel->addWidget(new views::InsideView(session));
    panel->setChildrenCollapsible(false);
    panel->setStretchFactor(0, 2);
    panel->setStretchFactor(1, 1);
    return panel;
}

} // namespace

Docks::Docks(QMainWindow* window, views::Session* session, views::Selection* selection, views::Explanation* explanation)
    : m_window(window)
    , m_stages(new views::StagesView(session))
    , m_inspector(new views::Inspector(session, selection, explanation))
    , m_histogram(new views::HistogramPanel(session, selection))
    , m_qparams(new views::QparamsTable(session, selection))
    , m_why(new views::WhyTable(selection, explanation))
    , m_messages(new views::MessagesView(session, selection))
    , m_outline(new views::OutlineView(selection))
    , m_numbers(new views::NumbersPanel(session, selection))
    , m_stagesDock(add("stages", tr(QT_TRANSLATE_NOOP("docks", "Stages")), stagesPanel(m_stages, session),
                       Qt::LeftDockWidgetArea))
    , m_inspectorDock(
          add("inspector", tr(QT_TRANSLATE_NOOP("docks", "Inspector")), m_inspector, Qt::RightDockWidgetArea))
    , m_histogramDock(add("histogram", tr(QT_TRANSLATE_NOOP("docks", "Histograms")), scrolled(m_histogram),
                          Qt::BottomDockWidgetArea))
    , m_qparamsDock(add("qparams", tr(QT_TRANSLATE_NOOP("docks", "Qparams")), m_qparams, Qt::BottomDockWidgetArea))
    , m_whyDock(add("why", tr(QT_TRANSLATE_NOOP("docks", "Why not")), m_why, Qt::BottomDockWidgetArea))
    , m_messagesDock(add("messages", tr(QT_TRANSLATE_NOOP("docks", "Messages")), m_messages, Qt::BottomDockWidgetArea))
    , m_outlineDock(add("outline", tr(QT_TRANSLATE_NOOP("docks", "Outline")), m_outline, Qt::LeftDockWidgetArea))
    , m_numbersDock(
          add("numbers", tr(QT_TRANSLATE_NOOP("docks", "Numbers")), scrolled(m_numbers), Qt::BottomDockWidgetArea))
{
    // side docks keep the full height: the graph and its tables share the middle
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->setDockNestingEnabled(true);
    for (QDockWidget* dock : {m_qparamsDock, m_whyDock, m_messagesDock, m_numbersDock})
        window->tabifyDockWidget(m_histogramDock, dock);
    window->tabifyDockWidget(m_stagesDock, m_outlineDock);
    QObject::connect(m_outlineDock, &QDockWidget::visibilityChanged, m_outline, [this](bool visible) {
        if (visible)
            updateOutline(m_outlineScene, m_outlineMoment);
    });
    addExplainPanels(session, selection, explanation);
    learn();
}

void Docks::addExplainPanels(views::Session* session, views::Selection* selection, views::Explanation* explanation)
{
    struct Row {
        const char* name;
        const char* title;
        views::ExplainPart part;
    };
    for (const Row& row : {Row{"problems", QT_TRANSLATE_NOOP("docks", "Problems"), views::problemsPart()},
                           Row{"coverage", QT_TRANSLATE_NOOP("docks", "Coverage"), views::coveragePart()},
                           Row{"settings", QT_TRANSLATE_NOOP("docks", "Settings"), views::settingsPart()},
                           Row{"sharing", QT_TRANSLATE_NOOP("docks", "Sharing"), views::sharingPart()},
                           Row{"ledger", QT_TRANSLATE_NOOP("docks", "Ledger"), views::ledgerPart()}}) {
        m_explainViews.push_back(new views::ExplainView(row.part, session, selection, explanation));
        m_window->tabifyDockWidget(m_histogramDock,
                                   add(row.name, tr(row.title), m_explainViews.back(), Qt::BottomDockWidgetArea));
    }
    m_search = new views::SearchView(selection, explanation);
    m_searchDock = add("search", tr(QT_TRANSLATE_NOOP("docks", "Search")), m_search, Qt::BottomDockWidgetArea);
    m_breakpoints = new views::BreakpointList(session);
    QDockWidget* breakpoints =
        add("breakpoints", tr(QT_TRANSLATE_NOOP("docks", "Breakpoints")), m_breakpoints, Qt::BottomDockWidgetArea);
    for (QDockWidget* dock : {m_searchDock, breakpoints})
        m_window->tabifyDockWidget(m_histogramDock, dock);
}

void Docks::search(const QString& text, bool raise)
{
    m_search->search(text);
    if (!raise)
        return;
    m_searchDock->show();
    m_searchDock->raise();
}

QDockWidget* Docks::add(const char* name, const QString& title, QWidget* panel, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, m_window);
    dock->setObjectName(QString::fromLatin1(name)); // saveState goes by it
    dock->setWidget(panel);
    m_window->addDockWidget(area, dock);
    m_all << dock;
    return dock;
}

void Docks::setTheme(const views::Theme& theme)
{
    m_inspector->setTheme(theme);
    m_histogram->setTheme(theme);
    m_qparams->setTheme(theme);
    m_why->setTheme(theme);
    m_messages->setTheme(theme);
    for (views::ExplainView* view : m_explainViews)
        view->setTheme(theme);
    m_search->setTheme(theme);
    m_breakpoints->setTheme(theme);
    m_numbers->setTheme(theme);
}

void Docks::resize(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation orientation)
{
    // a dock that was just shown has its place only after the next layout
    QMainWindow* window = m_window;
    QTimer::singleShot(0, window, [=] {
        window->resizeDocks(docks, sizes, orientation);
        // where there is little room, names that can be scrolled to say more than "H…", "Q…"
        for (QTabBar* bar : window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            bar->setElideMode(Qt::ElideNone);
            bar->setUsesScrollButtons(true);
        }
    });
}

void Docks::learn()
{
    for (QDockWidget* dock : m_all)
        dock->show();
    resize({m_stagesDock, m_inspectorDock}, {280, 280}, Qt::Horizontal);
    resize({m_histogramDock}, {std::clamp(m_window->height() * 3 / 10, kLeastBottom, kPlotRoom)}, Qt::Vertical);
    m_whyDock->raise();
    m_stagesDock->raise();
}

void Docks::updateOutline(const views::ScenePtr& scene, const trace::MomentPtr& moment)
{
    m_outlineScene = scene;
    m_outlineMoment = moment;
    if (!m_outline->isVisible() || !scene || !moment)
        return;
    const auto top = moment->graphs.find("");
    m_outline->setGraph(scene, top == moment->graphs.end() ? nullptr : top->second);
}

void Docks::compare()
{
    for (QDockWidget* dock : m_all)
        dock->setVisible(dock == m_inspectorDock || dock == m_qparamsDock);
    resize({m_inspectorDock}, {280}, Qt::Horizontal);
    resize({m_qparamsDock}, {180}, Qt::Vertical);
}

void Docks::calibrate()
{
    for (QDockWidget* dock : m_all)
        dock->setVisible(dock != m_inspectorDock && dock != m_whyDock);
    resize({m_histogramDock}, {420}, Qt::Vertical);
    m_histogramDock->raise();
}

void Docks::hideAll()
{
    for (QDockWidget* dock : m_all)
        dock->hide();
}

void Docks::showHistogram()
{
    m_histogramDock->show();
    m_histogramDock->raise();
}

void Docks::showNumbers()
{
    constexpr int kRoom = 380; // of a table, or plots with their words
    m_numbersDock->show();
    m_numbersDock->raise();
    if (m_numbersDock->height() < kRoom)
        resize({m_numbersDock}, {kRoom}, Qt::Vertical);
}

void Docks::showWhy()
{
    m_inspectorDock->show();
    m_inspector->showTab(views::Inspector::Why);
}

void Docks::showHistory()
{
    showWhy();
    m_inspector->showHistory();
}

void Docks::pinInspector()
{
    m_inspectorDock->show();
    m_inspector->setPinned(true);
}

void Docks::fillMenu(QMenu* panels) const
{
    for (QDockWidget* dock : m_all)
        panels->addAction(dock->toggleViewAction());
}

} // namespace gb::app
