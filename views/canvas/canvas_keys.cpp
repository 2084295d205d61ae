// The keyboard of the canvas: view commands, the walk along edges, marking and tracing.
#include "canvas/graph_canvas.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>
#include <utility>

namespace gb::views {

void GraphCanvas::walk(int key)
{
    if (!m_picture || m_picture->nodes.empty())
        return;
    const NodeItem* from = m_picture->find(m_selection->current().node);
    if (!from) {
        go(&m_picture->nodes.front());
        return;
    }
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up: go(alongEdges(*m_picture, *from, key == Qt::Key_Down)); break;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: go(sibling(*m_picture, *from, key == Qt::Key_BracketRight)); break;
    default: go(beside(*m_picture, *from, key == Qt::Key_Right));
    }
}

void GraphCanvas::go(const NodeItem* to)
{
    if (!to)
        return;
    m_selection->selectNode(to->id);
    Q_EMIT nodeClicked(to->id);
    reveal(to->id);
}

void GraphCanvas::activate(ir::NodeId node)
{
    if (groupOfId(node) >= 0)
        Q_EMIT foldRequested(groupOfId(node));
    else
        Q_EMIT nodeActivated(node);
}

void GraphCanvas::selectParent()
{
    const NodeItem* from = m_picture ? m_picture->find(m_selection->current().node) : nullptr;
    if (from && from->module > 0)
        go(m_picture->find(groupId(from->module)));
}

void GraphCanvas::extend(Direction direction, bool all)
{
    const NodeSet from = chosen();
    if (m_picture && !from.empty())
        m_selection->mark(all ? reachable(*m_picture, from, direction) : within(*m_picture, from, direction, 1));
}

View GraphCanvas::here() const
{
    return {m_camera->center(), m_camera->zoom(), m_selection->current().node};
}

void GraphCanvas::jump(const std::optional<View>& to)
{
    if (!to)
        return;
    m_camera->set(to->center, to->zoom);
    if (to->selected != ir::kNoNode)
        m_selection->selectNode(to->selected);
}

void GraphCanvas::bookmark()
{
    Q_EMIT said(tr("bookmark %1: press %1 to come back").arg(m_history.bookmark(here())));
}

void GraphCanvas::visitChange(bool next)
{
    if (!m_picture || m_picture->touched.empty())
        return;
    const auto& touched = m_picture->touched;
    const auto at = std::find(touched.begin(), touched.end(), m_selection->current().node);
    const auto count = static_cast<std::ptrdiff_t>(touched.size());
    std::ptrdiff_t index = next ? 0 : count - 1;
    if (at != touched.end())
        index = (at - touched.begin() + (next ? 1 : count - 1)) % count;
    go(m_picture->find(touched[static_cast<std::size_t>(index)]));
}

/// Keys that move the camera.
bool GraphCanvas::lookKey(const QKeyEvent& event)
{
    const bool control = event.modifiers() & Qt::ControlModifier;
    const bool alt = event.modifiers() & Qt::AltModifier;
    const bool plain = !control && !alt;
    const int key = event.key();
    if (alt && (key == Qt::Key_Left || key == Qt::Key_Right))
        jump(key == Qt::Key_Left ? m_history.back(here()) : m_history.forward(here()));
    else if (alt && key == Qt::Key_Up)
        selectParent();
    else if (key == Qt::Key_Space)
        fitAll();
    else if (key == Qt::Key_F && plain && (event.modifiers() & Qt::ShiftModifier))
        setFocusMode(!m_focusMode);
    else if (key == Qt::Key_F && plain)
        frameSelection();
    else if (key == Qt::Key_0 && control)
        m_camera->set(m_camera->center(), 1.0);
    else if (control && (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus))
        m_camera->set(m_camera->center(), m_camera->zoom() * (key == Qt::Key_Minus ? 1 / 1.2 : 1.2));
    else if (key == Qt::Key_M && plain)
        showMinimap(!m_minimap->isVisibleTo(this));
    else if (key == Qt::Key_D && control)
        bookmark();
    else if (key >= Qt::Key_1 && key <= Qt::Key_9 && plain) {
        const auto to = m_history.bookmarked(key - Qt::Key_0);
        if (to)
            m_history.leave(here());
        jump(to);
    } else
        return false;
    return true;
}

/// Keys that move or widen the selection, or act on it.
bool GraphCanvas::selectionKey(const QKeyEvent& event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return false;
    const ir::NodeId selected = m_selection->current().node;
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: walk(event.key()); return true;
    case Qt::Key_Backspace: selectParent(); return true;
    case Qt::Key_I: extend(Direction::Up, shift); return true;
    case Qt::Key_O: extend(Direction::Down, shift); return true;
    case Qt::Key_F7: visitChange(!shift); return true;
    case Qt::Key_Escape: m_selection->clear(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selected == ir::kNoNode)
            return false;
        activate(selected);
        return true;
    case Qt::Key_W:
        if (selected == ir::kNoNode)
            return false;
        Q_EMIT whyRequested(selected);
        return true;
    default: return false;
    }
}

/// Letters that the window around has to act on.
bool GraphCanvas::commandKey(const QKeyEvent& event)
{
    using Row = std::pair<int, CanvasCommand>;
    constexpr std::array kCommands{
        Row{Qt::Key_B, CanvasCommand::StepBack},     Row{Qt::Key_N, CanvasCommand::StepForward},
        Row{Qt::Key_V, CanvasCommand::NextOverlay},  Row{Qt::Key_L, CanvasCommand::ToggleLabels},
        Row{Qt::Key_G, CanvasCommand::ToggleGroups}, Row{Qt::Key_D, CanvasCommand::ToggleDiff},
        Row{Qt::Key_H, CanvasCommand::History},      Row{Qt::Key_S, CanvasCommand::Hide},
        Row{Qt::Key_U, CanvasCommand::Unhide},       Row{Qt::Key_Question, CanvasCommand::Shortcuts}};
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return false;
    const auto row =
        std::find_if(kCommands.begin(), kCommands.end(), [&](const Row& r) { return r.first == event.key(); });
    if (row == kCommands.end())
        return false;
    Q_EMIT commandRequested(row->second);
    return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    // single characters can be switched off: dictation and slips of the hand type them
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    const bool character = plain && event->key() > Qt::Key_Space && event->key() < Qt::Key_Escape;
    const bool off = character && !m_settings.letters;
    if (off || (!lookKey(*event) && !selectionKey(*event) && !commandKey(*event)))
        QWidget::keyPressEvent(event);
}

} // namespace gb::views
