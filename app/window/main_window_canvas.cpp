// The canvas's part of the main window: its letters, its menu, presenting, preferences, the palette, focus from pane to
// pane.
#include "canvas/canvas_accessible.h"
#include "canvas/outline_view.h"
#include "window/command_palette.h"
#include "window/main_window.h"
#include "window/node_history.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QSignalBlocker>
#include <QStatusBar>

#include <algorithm>

namespace gb::app {

using views::CanvasCommand;

void MainWindow::connectCanvas()
{
    views::installCanvasAccessibility();
    const auto on = [this](Command command, auto&& slot) {
        connect(m_actions[command], &QAction::triggered, this, std::forward<decltype(slot)>(slot));
    };
    connect(m_panes, &views::PaneArea::commandRequested, this, &MainWindow::canvasCommand);
    connect(m_panes, &views::PaneArea::minimapShown, this, [this](bool shown) {
        const QSignalBlocker quiet(m_actions[Command::Minimap]);
        m_actions[Command::Minimap]->setChecked(shown);
    });
    connect(m_panes, &views::PaneArea::paneCountChanged, this, [this](int count) {
        const Command counts[] = {Command::Panes1, Command::Panes2, Command::Panes3, Command::Panes4};
        m_actions[counts[count - 1]]->setChecked(true);
    });
    connect(m_actions[Command::Labels], &QAction::toggled, m_panes, &views::PaneArea::setLabels);
    connect(m_actions[Command::Diff], &QAction::toggled, m_panes, &views::PaneArea::setDiff);
    on(Command::Hide, [this] { m_panes->hideChosen(); });
    on(Command::Unhide, [this] { m_panes->unhide(); });
    on(Command::UndoView, [this] { m_panes->undoView(); });
    on(Command::RedoView, [this] { m_panes->redoView(); });
    on(Command::History, &MainWindow::showNodeHistory);
    on(Command::Palette, &MainWindow::showPalette);
    on(Command::Preferences, &MainWindow::askForPreferences);
    on(Command::NextPane, [this] { focusPane(1); });
    on(Command::PreviousPane, [this] { focusPane(-1); });
    const Command stages[] = {Command::Stage1, Command::Stage2, Command::Stage3,
                              Command::Stage4, Command::Stage5, Command::Stage6};
    for (int i = 0; i < 6; ++i)
        on(stages[i], [this, i] { m_session.toStage(views::stageNames().at(i)); });
    connect(m_actions[Command::Play], &QAction::toggled, this, [this](bool play) {
        if (play)
            m_player.start();
        else
            m_player.stop();
    });
    connect(&m_player, &QTimer::timeout, this, [this] {
        if (m_session.canStepForward())
            m_session.stepForward();
        else
            m_actions[Command::Play]->setChecked(false);
    });
    connect(&m_presenting, &PresentMode::next, &m_session, &views::Session::toNextStage);
    connect(&m_presenting, &PresentMode::previous, &m_session, &views::Session::toPreviousStage);
    connect(&m_presenting, &PresentMode::left, this, [this] { m_actions[Command::LayoutPresent]->setChecked(false); });
    connect(&m_session, &views::Session::cursorChanged, this, &MainWindow::announce);
}

/// A live region: a screen reader says what the step did.
void MainWindow::announce()
{
    const QString text = tr("step %1: %2").arg(m_session.stepNumber()).arg(m_sentence->text());
    m_sentence->setAccessibleName(text);
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent alert(m_sentence, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MainWindow::canvasCommand(CanvasCommand command)
{
    switch (command) {
    case CanvasCommand::StepBack: m_session.stepBack(); break;
    case CanvasCommand::StepForward: m_session.stepForward(); break;
    case CanvasCommand::NextOverlay: m_actions[Command::NextOverlay]->trigger(); break;
    case CanvasCommand::ToggleLabels: m_actions[Command::Labels]->toggle(); break;
    case CanvasCommand::ToggleGroups: m_actions[Command::Hulls]->toggle(); break;
    case CanvasCommand::ToggleDiff: m_actions[Command::Diff]->toggle(); break;
    case CanvasCommand::History: showNodeHistory(); break;
    case CanvasCommand::Hide: m_panes->hideChosen(); break;
    case CanvasCommand::Unhide: m_panes->unhide(); break;
    case CanvasCommand::Shortcuts: showShortcuts(); break;
    }
}

void MainWindow::showNodeHistory()
{
    const ir::NodeId node = m_selection.current().node;
    if (node == ir::kNoNode || views::groupOfId(node) >= 0) {
        statusBar()->showMessage(tr("select a node to see it in all stages"), 4000);
        return;
    }
    NodeHistory history(m_session, node, this);
    connect(&history, &NodeHistory::stageChosen, &m_session, &views::Session::toStage);
    history.exec();
}

/// What one does with a place of the graph, below what one asks of its node.
void MainWindow::addCanvasEntries(QMenu& menu, ir::NodeId node)
{
    const int group = views::groupOfId(node);
    const views::PicturePtr picture = m_panes->activePane()->canvas()->picture();
    const views::NodeItem* item = picture ? picture->find(node) : nullptr;
    menu.addSeparator();
    if (group >= 0) {
        const bool open = item && item->container == views::Container::Open;
        menu.addAction(open ? tr("Fold") : tr("Unfold"), this,
                       [this, group] { m_panes->foldState(m_panes->activeIndex())->toggle(group); });
    }
    for (const std::string& path : group < 0 ? m_panes->subgraphsOf(node) : std::vector<std::string>())
        menu.addAction(tr("Open sub-graph %1 beside").arg(QString::fromStdString(path)), this,
                       [this, path] { m_panes->openGraph(path); });
    if (item) {
        menu.addAction(m_actions[Command::History]);
        menu.addAction(m_actions[Command::FrameSelection]);
        menu.addAction(m_actions[Command::Hide]);
        menu.addAction(tr("Copy name"), this, [name = item->name] { QApplication::clipboard()->setText(name); });
        menu.addSeparator();
    }
    for (const Command c : {Command::Unhide, Command::FitAll, Command::UnfoldAll, Command::FoldAsFirst})
        menu.addAction(m_actions[c]);
    menu.addSeparator();
    menu.addAction(m_actions[Command::Export]);
}

void MainWindow::showPalette()
{
    CommandPalette palette(m_actions.all(), this);
    if (palette.exec() == QDialog::Accepted && palette.chosen())
        palette.chosen()->trigger();
}

void MainWindow::askForPreferences()
{
    m_preferences.theme = m_theme;
    PreferencesDialog dialog(m_preferences, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    applyPreferences(dialog.preferences());
    savePreferences(m_preferences);
}

void MainWindow::applyPreferences(const Preferences& preferences)
{
    m_preferences = preferences;
    setTheme(preferences.theme);
    m_panes->setCanvasSettings(preferences.canvas());
    setAnimated(!preferences.reducedMotion); // docks slide, too
}

/// The focus goes from graph to graph, then through the panels that are seen.
void MainWindow::focusPane(int by)
{
    QWidgetList stops;
    for (int i = 0; i < m_panes->paneCount(); ++i)
        stops << m_panes->pane(i)->canvas();
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        if (dock->isVisible() && !dock->visibleRegion().isEmpty() && dock->widget())
            stops << dock->widget();
    const QWidget* focus = QApplication::focusWidget();
    qsizetype at = by > 0 ? -1 : 0;
    for (qsizetype i = 0; i < stops.size(); ++i)
        if (focus && (stops[i] == focus || stops[i]->isAncestorOf(focus)))
            at = i;
    QWidget* stop = stops[(at + by + stops.size()) % stops.size()];
    QWidget* to = stop;
    if (to->focusPolicy() == Qt::NoFocus) {
        const QWidgetList inside = to->findChildren<QWidget*>();
        const auto taker = std::find_if(inside.begin(), inside.end(), [](const QWidget* w) {
            return w->isVisible() && w->isEnabled() && (w->focusPolicy() & Qt::TabFocus);
        });
        if (taker != inside.end())
            to = *taker;
    }
    to->setFocus(Qt::TabFocusReason);
    if (!qobject_cast<views::GraphCanvas*>(stop)) // a graph draws its own
        m_focusRing.surround(stop, views::Theme::of(m_theme));
}

} // namespace gb::app
