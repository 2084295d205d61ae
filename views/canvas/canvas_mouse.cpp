// The mouse on the canvas: panning, zooming, rectangles, selecting.
#include "canvas/graph_canvas.h"

#include "picture/text_measure.h"

#include <QApplication>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kZoomStep = 1.2;
constexpr double kSmallestBand = 6; ///< pixels: less was a click

} // namespace

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier) != m_settings.wheelZooms) {
        m_camera->zoomAt(toScene(event->position()), std::pow(kZoomStep, angle.y() / 120.0));
    } else {
        QPointF move = pixels.isNull() ? QPointF(angle) * 0.6 : QPointF(pixels);
        if ((event->modifiers() & Qt::ShiftModifier) && move.x() == 0)
            move = {move.y(), 0};
        m_camera->set(m_camera->center() - move / m_camera->zoom(), m_camera->zoom());
    }
    event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event)
{
    m_tooltipDelay.stop();
    m_pressed = m_last = event->position();
    m_drag = Drag::No;
    const bool band = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (event->button() != Qt::LeftButton || band || goToHint(event->position()))
        return;
    const Hit hit = hitAt(event->position());
    select(hit);
    if ((event->modifiers() & Qt::AltModifier) && hit.node != ir::kNoNode)
        Q_EMIT subgraphRequested(hit.node);
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        const bool far = (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
        if (m_drag == Drag::No && far) {
            const bool left = event->buttons() & Qt::LeftButton;
            m_drag = left && (event->modifiers() & Qt::ControlModifier) ? Drag::ZoomBand
                     : left && (event->modifiers() & Qt::ShiftModifier) ? Drag::SelectBand
                                                                        : Drag::Pan;
            setCursor(m_drag == Drag::Pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
        }
        if (m_drag == Drag::Pan)
            m_camera->set(m_camera->center() - (event->position() - m_last) / m_camera->zoom(), m_camera->zoom());
        m_last = event->position();
        if (m_drag == Drag::ZoomBand || m_drag == Drag::SelectBand)
            update();
        return;
    }
    m_last = event->position();
    const Hit hit = hitAt(event->position());
    hover(hit.node);
    setCursor(hit.node != ir::kNoNode || hit.edge ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QToolTip::hideText();
    if (hit.node != ir::kNoNode || hit.edge)
        m_tooltipDelay.start();
    else
        m_tooltipDelay.stop();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent*)
{
    finishBand();
    m_drag = Drag::No;
    unsetCursor();
    update();
}

/// What a rectangle is for: to be shown whole, or to mark what it touches.
void GraphCanvas::finishBand()
{
    const QRectF band(toScene(m_pressed), toScene(m_last));
    const QRectF scene = band.normalized();
    if (!m_picture || std::min(scene.width(), scene.height()) * m_camera->zoom() < kSmallestBand)
        return;
    if (m_drag == Drag::ZoomBand) {
        m_history.leave(here());
        m_camera->set(scene.center(), std::min(width() / scene.width(), height() / scene.height()));
    } else if (m_drag == Drag::SelectBand) {
        NodeSet marked;
        for (const std::size_t i : m_grid->nodesIn(scene))
            if (m_picture->nodes[i].reach().intersects(scene))
                marked.insert(m_picture->nodes[i].id);
        m_selection->mark(std::move(marked));
    }
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Hit hit = hitAt(event->position());
    if (hit.node != ir::kNoNode)
        activate(hit.node);
}

/// A click on an arrow at the edge shows what it points to.
bool GraphCanvas::goToHint(QPointF widget)
{
    for (const EdgeHint& hint : hints())
        if (hint.rect.contains(widget)) {
            reveal(hint.nearest);
            return true;
        }
    return false;
}

/// Whether a point is on the chain of a label that shares an observer.
bool GraphCanvas::onChain(const LabelItem& label, QPointF scene) const
{
    const Detail detail = detailAt(m_camera->zoom());
    for (const TextItem& text : label.texts)
        if (detail >= text.from && detail <= text.to)
            for (std::size_t i = 0; i < text.runs.size(); ++i)
                if (text.runs[i].glyph == Glyph::Chain) {
                    const Runs upTo(text.runs.begin(), text.runs.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                    const TextStyle style{text.font, text.scale, text.italic};
                    const double end = text.rect.x() + runsWidth(upTo, style);
                    const double reach = std::max(12.0 / m_camera->zoom(), glyphSize(style));
                    if (std::abs(scene.x() - (end - glyphSize(style) / 2)) <= reach)
                        return true;
                }
    return label.kind == LabelKind::Shared && label.chipRect.adjusted(-4, -4, 4, 4).contains(scene);
}

void GraphCanvas::select(const Hit& hit)
{
    if (hit.label && hit.label->group.number >= 0 && onChain(*hit.label, toScene(m_pressed))) {
        m_selection->selectGroup(hit.label->group.number);
        return;
    }
    if (hit.label) {
        m_selection->selectLabel(hit.label->position);
        Q_EMIT labelClicked(hit.label->position);
        return;
    }
    const NodeItem* node = m_picture ? m_picture->find(hit.node) : nullptr;
    if (!node) {
        if (hit.edge && hit.edge->label.isEdge()) {
            m_selection->selectLabel(hit.edge->label);
            Q_EMIT labelClicked(hit.edge->label);
        }
        return;
    }
    m_selection->selectNode(node->id);
    Q_EMIT nodeClicked(node->id);
    if (node->role == NodeRole::Observer)
        Q_EMIT observerClicked(node->id);
    if (!node->badge.isEmpty() && node->badgeRect.contains(toScene(m_pressed)))
        Q_EMIT whyRequested(node->id);
}

} // namespace gb::views
