// The debugger's part of the main window: search, breakpoints, and what explain says when it is done.
#include "window/main_window.h"

#include "tables/search_view.h"
#include "timeline/breakpoint_list.h"

#include <QSettings>
#include <QStatusBar>
#include <QTableView>

#include <algorithm>

namespace gb::app {

void MainWindow::connectSearch()
{
    views::SearchView* results = &m_docks->searchView();
    connect(m_actions[Command::Find], &QAction::triggered, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    connect(m_actions[Command::FindNext], &QAction::triggered, results, &views::SearchView::next);
    connect(m_actions[Command::FindPrevious], &QAction::triggered, results, &views::SearchView::previous);
    connect(m_search, &QLineEdit::textEdited, this, [this](const QString& text) { m_docks->search(text, false); });
    connect(m_search, &QLineEdit::returnPressed, this, [this, results] {
        m_docks->search(m_search->text(), true);
        if (m_explanation.busy()) { // the index is not there yet, the graphs are
            find(m_search->text());
            return;
        }
        if (results->hitCount() == 0) {
            statusBar()->showMessage(results->message(), 4000);
            return;
        }
        results->next();
        results->table().view().setFocus(Qt::OtherFocusReason); // the arrow keys walk the hits
    });
    connect(results, &views::SearchView::chosen, this, &MainWindow::reveal);
}

void MainWindow::connectBreakpoints()
{
    views::BreakpointList* list = &m_docks->breakpoints();
    connect(m_actions[Command::ToggleBreakpoint], &QAction::triggered, this, [this, list] {
        const views::Selected& selected = m_selection.current();
        if (selected.kind == views::Selected::Kind::Nothing || selected.node == ir::kNoNode)
            statusBar()->showMessage(tr("select a node to set a breakpoint on it"), 4000);
        else
            list->toggleNode(selected.node);
    });
    connect(m_actions[Command::ContinueBack], &QAction::triggered, list, &views::BreakpointList::continueBack);
    connect(m_actions[Command::RunToCursor], &QAction::triggered, this, [this] {
        const auto& events = m_session.recording()->events;
        const ir::NodeId node = m_selection.current().node;
        for (std::size_t i = static_cast<std::size_t>(m_session.cursor() + 1); i < events.size(); ++i)
            if (std::ranges::find(events[i].nodes, node) != events[i].nodes.end()) {
                m_session.setCursor(static_cast<int>(i));
                return;
            }
        statusBar()->showMessage(tr("no later event touches the selected node"), 4000);
    });
    const auto mark = [this, list] { m_timeline->setStops(list->stops()); };
    connect(list, &views::BreakpointList::changed, this, mark);
    // kept at once: a window that is killed has lost none
    connect(list, &views::BreakpointList::changed, this,
            [list] { QSettings().setValue(QStringLiteral("debugger/breakpoints"), list->kept()); });
    connect(&m_session, &views::Session::recordingChanged, this, mark);
    connect(&m_explanation, &views::Explanation::changed, this, &MainWindow::showExplanation);
}

/// Continues where a breakpoint lies ahead; else runs the model.
void MainWindow::runOrContinue()
{
    if (m_session.eventCount() > 0 && m_docks->breakpoints().canContinue())
        m_docks->breakpoints().continueForward();
    else if (isModel(m_request.path))
        runAgain();
    else
        m_session.toLast();
}

/// What the status bar says of the step that the cursor stands on.
void MainWindow::updateStep()
{
    statusBar()->clearMessage(); // it would hide the sentence
    m_sentence->setText(m_session.sentence());
    m_sentence->setToolTip(m_sentence->text());
    const QString step = tr("step %1/%2").arg(m_session.stepNumber()).arg(m_session.stepCount());
    m_position->setText(m_session.inner() < 0 ? step
                                              : tr("%1, inside %2/%3")
                                                    .arg(step)
                                                    .arg(m_session.inner() + 1)
                                                    .arg(static_cast<int>(m_session.inside().size())));
}

void MainWindow::showExplanation()
{
    const auto& report = m_explanation.report();
    if (!report || !report->coverage.nothingLabelled || !m_messages->text().isEmpty())
        return; // an error of the run says more
    m_messages->showMessage(views::MessageBar::Level::Error, tr("Nothing was labelled"),
                            tr("Every op stays in float. The tabs Why not and Settings say why."));
}

void MainWindow::reveal(ir::NodeId node)
{
    m_panes->showNode(node);
}

} // namespace gb::app
