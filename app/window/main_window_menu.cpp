// The menu of a node, edge or observer.
#include "window/main_window.h"

#include "canvas/graph_canvas.h"
#include "inspector/python_spec.h"
#include "inspector/reasons.h"
#include "timeline/breakpoint_list.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QStatusBar>

namespace gb::app {
namespace {

/// The event that added a node.
int addedBy(const trace::Recording& recording, ir::NodeId node)
{
    for (std::size_t i = 0; i < recording.events.size(); ++i)
        for (const trace::Edit& edit : recording.events[i].edits)
            if (const auto* added = std::get_if<trace::NodeAdded>(&edit); added && added->row.id == node)
                return static_cast<int>(i);
    return -1;
}

/// The label that is selected, else the whole label of the node, as Python; empty where there is none at the moment.
QString pythonOf(const trace::Moment& moment, const views::Selected& selected)
{
    for (const auto& [path, graph] : moment.graphs) {
        const ir::Node* node = graph->graph->find(selected.node);
        if (!node || !node->annotation())
            continue;
        const ir::Annotation& label = *node->annotation();
        if (selected.kind == views::Selected::Kind::Label) {
            const ir::Spec* input = selected.label.isEdge() ? label.input(selected.label.node) : nullptr;
            return views::pythonSpec(input ? *input : label.output, *graph->graph) + QLatin1Char('\n');
        }
        return views::pythonAnnotation(label, *graph->graph, QString::fromStdString(node->name()));
    }
    return {};
}

} // namespace

std::unique_ptr<QMenu> MainWindow::nodeMenu()
{
    const views::Selected selected = m_selection.current();
    auto menu = std::make_unique<QMenu>(this);
    const bool any = selected.node != ir::kNoNode && views::groupOfId(selected.node) < 0 && m_session.recording();
    const auto add = [&](const QString& text, bool enabled, auto&& slot) {
        QAction* action = menu->addAction(text, this, std::forward<decltype(slot)>(slot));
        action->setEnabled(enabled);
    };
    const int label = any ? views::labelledBy(*m_session.recording(), selected.node, m_session.eventCount()) : -1;
    const int origin = label >= 0 ? label : any ? addedBy(*m_session.recording(), selected.node) : -1;
    add(tr("&Why"), any, [this] { m_docks->showWhy(); });
    add(tr("Show &origin"), origin >= 0, [this, origin] { m_session.setCursor(origin); });
    add(tr("Show &history"), any, [this] { m_docks->showHistory(); });
    add(tr("&Break here"), any, [this, selected] { m_docks->breakpoints().toggleNode(selected.node); });
    menu->addSeparator();
    add(tr("Add to co&mpare"), any, [this] { m_docks->pinInspector(); });
    add(tr("Copy as &picture"), m_document.has_value(), [this] { copyPicture(); });
    const QString python = any ? pythonOf(*m_session.moment(), selected) : QString();
    add(tr("Copy qspec as P&ython"), !python.isEmpty(), [this, python] {
        QApplication::clipboard()->setText(python);
        statusBar()->showMessage(tr("label copied as Python"), 3000);
    });
    return menu;
}

void MainWindow::connectMenu()
{
    for (int i = 0; i < views::PaneArea::kMaxPanes; ++i) {
        views::GraphCanvas* canvas = m_panes->pane(i)->canvas();
        connect(canvas, &views::GraphCanvas::menuRequested, this, [this](ir::NodeId node, QPoint at) {
            if (!m_document)
                return;
            QMenu* menu = node == ir::kNoNode ? new QMenu(this) : nodeMenu().release();
            addCanvasEntries(*menu, node);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(at);
        });
        connect(m_actions[Command::Hulls], &QAction::toggled, canvas, &views::GraphCanvas::showHulls);
    }
}

} // namespace gb::app
