#include "canvas/graph_canvas.h"

#include "picture/painter.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace gb::views {
namespace {

constexpr int kTooltipDelay = 400;
constexpr double kZoomStep = 1.2;
constexpr double kEdgeReach = 5; ///< pixels beside a line that still hit it

double distanceTo(const EdgeItem& edge, QPointF at)
{
    double best = 1e9;
    for (std::size_t i = 3; i < edge.curve.size(); i += 3) {
        for (int step = 0; step <= 12; ++step) {
            const double t = step / 12.0;
            const double u = 1 - t;
            const QPointF p = edge.curve[i - 3] * (u * u * u) + edge.curve[i - 2] * (3 * u * u * t)
                              + edge.curve[i - 1] * (3 * u * t * t) + edge.curve[i] * (t * t * t);
            best = std::min(best, std::hypot(p.x() - at.x(), p.y() - at.y()));
        }
    }
    return best;
}

} // namespace

GraphCanvas::GraphCanvas(Camera* camera, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_camera(nullptr)
    , m_selection(selection)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    m_tooltipDelay.setSingleShot(true);
    m_tooltipDelay.setInterval(kTooltipDelay);
    connect(&m_tooltipDelay, &QTimer::timeout, this, &GraphCanvas::showTooltip);
    connect(m_selection, &Selection::changed, this, [this] {
        describe();
        update();
    });
    setCamera(camera);
}

void GraphCanvas::setCamera(Camera* camera)
{
    if (m_camera)
        disconnect(m_camera, nullptr, this, nullptr);
    m_camera = camera;
    connect(m_camera, &Camera::changed, this, qOverload<>(&QWidget::update));
    update();
}

void GraphCanvas::setPicture(PicturePtr picture)
{
    m_picture = std::move(picture);
    if (m_picture)
        m_grid.build(*m_picture);
    else
        m_grid.clear();
    if (m_picture && !m_picture->find(m_hovered))
        m_hovered = ir::kNoNode;
    if (m_picture && !m_placed && isVisible())
        showStart();
    describe();
    update();
}

void GraphCanvas::setTheme(ThemeKind kind)
{
    m_theme = kind;
    update();
}

QPointF GraphCanvas::toScene(QPointF widget) const
{
    return (widget - QPointF(width() / 2.0, height() / 2.0)) / m_camera->zoom() + m_camera->center();
}

QPointF GraphCanvas::toWidget(QPointF scene) const
{
    return (scene - m_camera->center()) * m_camera->zoom() + QPointF(width() / 2.0, height() / 2.0);
}

QRectF GraphCanvas::visibleScene() const
{
    return QRectF(toScene({0, 0}), toScene(QPointF(width(), height())));
}

void GraphCanvas::fitAll()
{
    if (!m_picture || width() < 2 || height() < 2)
        return;
    m_placed = true;
    const QRectF& all = m_picture->bounds;
    // small graphs are not blown up beyond their natural size
    const double zoom = std::min({1.0, width() / all.width(), height() / all.height()});
    m_camera->set(all.center(), zoom);
}

void GraphCanvas::showStart()
{
    if (!m_picture || width() < 2 || height() < 2)
        return;
    fitAll();
    if (m_camera->zoom() < kReadable) {
        const QRectF& all = m_picture->bounds;
        const double wide = width() / kReadable;
        const double x =
            all.width() <= wide || m_picture->nodes.empty()
                ? all.center().x()
                : std::clamp(m_picture->nodes.front().box.center().x(), all.left() + wide / 2, all.right() - wide / 2);
        m_camera->set({x, all.top() + height() / kReadable / 2}, kReadable);
    }
    m_start = {m_camera->center(), m_camera->zoom()};
}

void GraphCanvas::frameSelection()
{
    const NodeItem* node = m_picture ? m_picture->find(m_selection->current().node) : nullptr;
    if (!node)
        return;
    const QRectF area = node->area();
    const double zoom = std::min({2.0, width() * 0.5 / area.width(), height() * 0.5 / area.height()});
    m_camera->set(area.center(), std::max(0.6, zoom));
}

void GraphCanvas::reveal(ir::NodeId id)
{
    const NodeItem* node = m_picture ? m_picture->find(id) : nullptr;
    if (node && !visibleScene().contains(node->area()))
        m_camera->set(node->area().center(), m_camera->zoom());
}

GraphCanvas::Hit GraphCanvas::hitAt(QPointF widget) const
{
    Hit hit;
    if (!m_picture)
        return hit;
    const QPointF at = toScene(widget);
    const double reach = kEdgeReach / m_camera->zoom();
    const QRectF near(at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
    for (const std::size_t i : m_grid.nodesIn(near)) {
        const NodeItem& node = m_picture->nodes[i];
        if (!node.reach().contains(at))
            continue;
        hit.node = node.id;
        for (const LabelItem& label : node.labels)
            if (label.rect.contains(at))
                hit.label = &label;
        return hit;
    }
    double best = reach;
    for (const std::size_t i : m_grid.edgesIn(near)) {
        const double distance = distanceTo(m_picture->edges[i], at);
        if (distance <= best) {
            best = distance;
            hit.edge = &m_picture->edges[i];
        }
    }
    return hit;
}

void GraphCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(m_theme);
    painter.fillRect(rect(), theme.ink(Ink::Page));
    if (m_picture) {
        painter.save();
        painter.translate(width() / 2.0, height() / 2.0);
        painter.scale(m_camera->zoom(), m_camera->zoom());
        painter.translate(-m_camera->center());
        PaintOptions options;
        options.clip = visibleScene();
        const std::vector<std::size_t> nodes = m_grid.nodesIn(options.clip);
        const std::vector<std::size_t> edges = m_grid.edgesIn(options.clip);
        options.detail = detailAt(m_camera->zoom());
        options.zoom = m_camera->zoom();
        options.background = false;
        options.hovered = m_hovered;
        const Selected& selected = m_selection->current();
        options.selected = selected.kind == Selected::Kind::Node ? selected.node : ir::kNoNode;
        if (selected.kind == Selected::Kind::Label)
            options.selectedLabel = selected.label;
        options.focused = hasFocus() ? selected.node : ir::kNoNode;
        options.nodes = &nodes;
        options.edges = &edges;
        paint(painter, *m_picture, theme, options);
        painter.restore();
    }
    if (hasFocus()) {
        painter.setPen(theme.pen(Ink::Focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
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
    m_dragging = false;
    if (event->button() == Qt::LeftButton)
        select(hitAt(event->position()));
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        if (!m_dragging && (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
            m_dragging = true;
            setCursor(Qt::ClosedHandCursor);
        }
        if (m_dragging)
            m_camera->set(m_camera->center() - (event->position() - m_last) / m_camera->zoom(), m_camera->zoom());
        m_last = event->position();
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
    m_dragging = false;
    unsetCursor();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Hit hit = hitAt(event->position());
    if (hit.node != ir::kNoNode)
        Q_EMIT nodeActivated(hit.node);
}

void GraphCanvas::leaveEvent(QEvent*)
{
    m_tooltipDelay.stop();
    hover(ir::kNoNode);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    ir::NodeId node = m_selection->current().node;
    if (event->reason() == QContextMenuEvent::Mouse)
        node = hitAt(event->pos()).node;
    Q_EMIT menuRequested(node, event->globalPos());
}

void GraphCanvas::resizeEvent(QResizeEvent*)
{
    // as long as nobody moved the camera, the start view follows the size
    const bool untouched = m_camera->center() == m_start.center && qFuzzyCompare(m_camera->zoom(), m_start.zoom);
    if (m_picture && (!m_placed || untouched))
        showStart();
}

bool GraphCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::Show && m_picture && !m_placed)
        showStart();
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

void GraphCanvas::select(const Hit& hit)
{
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

void GraphCanvas::hover(ir::NodeId node)
{
    if (m_hovered == node)
        return;
    m_hovered = node;
    update();
}

void GraphCanvas::showTooltip()
{
    const Hit hit = hitAt(m_last);
    const NodeItem* node = m_picture ? m_picture->find(hit.node) : nullptr;
    const QString text = hit.label  ? hit.label->tooltip
                         : node     ? node->tooltip
                         : hit.edge ? hit.edge->tooltip
                                    : QString();
    if (!text.isEmpty())
        QToolTip::showText(mapToGlobal(m_last.toPoint()), text, this);
}

/// Tells a screen reader what is selected.
void GraphCanvas::describe()
{
    const NodeItem* node = m_picture ? m_picture->find(m_selection->current().node) : nullptr;
    const QString text = node ? node->accessible : QString();
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace gb::views
