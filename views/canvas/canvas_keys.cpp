// The keyboard of the canvas: view commands and the walk along edges.
#include "canvas/graph_canvas.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

/// The neighbour along edges that stands closest to straight above or below.
const NodeItem* alongEdges(const Picture& picture, const NodeItem& from, bool down)
{
    const NodeItem* best = nullptr;
    for (const EdgeItem& edge : picture.edges) {
        if ((down ? edge.from : edge.to) != from.id)
            continue;
        const NodeItem* other = picture.find(down ? edge.to : edge.from);
        const auto offset = [&](const NodeItem* n) { return std::abs(n->box.center().x() - from.box.center().x()); };
        if (other && (!best || offset(other) < offset(best)))
            best = other;
    }
    return best;
}

/// The next node to the side whose height range meets this one's.
const NodeItem* beside(const Picture& picture, const NodeItem& from, bool right)
{
    const NodeItem* best = nullptr;
    for (const NodeItem& node : picture.nodes) {
        const double dx = node.box.center().x() - from.box.center().x();
        const bool sameRow = node.box.top() < from.area().bottom() && from.box.top() < node.area().bottom();
        if (!sameRow || node.id == from.id || (right ? dx <= 0 : dx >= 0))
            continue;
        if (!best || std::abs(dx) < std::abs(best->box.center().x() - from.box.center().x()))
            best = &node;
    }
    return best;
}

} // namespace

void GraphCanvas::walk(int key)
{
    if (!m_picture || m_picture->nodes.empty())
        return;
    const NodeItem* from = m_picture->find(m_selection->current().node);
    const NodeItem* to = nullptr;
    if (!from)
        to = &m_picture->nodes.front();
    else if (key == Qt::Key_Down || key == Qt::Key_Up)
        to = alongEdges(*m_picture, *from, key == Qt::Key_Down);
    else
        to = beside(*m_picture, *from, key == Qt::Key_Right);
    if (!to)
        return;
    m_selection->selectNode(to->id);
    Q_EMIT nodeClicked(to->id);
    reveal(to->id);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers() & Qt::ControlModifier;
    const ir::NodeId selected = m_selection->current().node;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: walk(event->key()); return;
    case Qt::Key_Space: fitAll(); return;
    case Qt::Key_F:
        if (!control) {
            frameSelection();
            return;
        }
        break;
    case Qt::Key_0:
        if (control) {
            m_camera->set(m_camera->center(), 1.0);
            return;
        }
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
        if (control) {
            m_camera->set(m_camera->center(), m_camera->zoom() * (event->key() == Qt::Key_Minus ? 1 / 1.2 : 1.2));
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selected != ir::kNoNode) {
            Q_EMIT nodeActivated(selected);
            return;
        }
        break;
    case Qt::Key_W:
        if (!control && selected != ir::kNoNode) {
            Q_EMIT whyRequested(selected);
            return;
        }
        break;
    case Qt::Key_Escape: m_selection->clear(); return;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace gb::views
