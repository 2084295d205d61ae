#include "canvas/graph_canvas.h"

#include "canvas/canvas_accessible.h"

#include "picture/between.h"
#include "picture/painter.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gb::views {
namespace {

constexpr int kTooltipDelay = 400;
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

/// Where a reader begins: the input at the top. Weights come first in a graph, and stand anywhere.
const NodeItem* topmost(const Picture& picture)
{
    const NodeItem* out = nullptr;
    for (const NodeItem& node : picture.nodes)
        if (node.role != NodeRole::Weight && !node.ghost && node.container != Container::Open
            && (!out || node.box.top() < out->box.top()))
            out = &node;
    return out;
}

} // namespace

GraphCanvas::GraphCanvas(Camera* camera, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_camera(nullptr)
    , m_selection(nullptr)
    , m_grid(std::make_shared<SpatialGrid>())
    , m_minimap(new Minimap(this))
    , m_overlayBar(new OverlayBar(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    m_tooltipDelay.setSingleShot(true);
    m_tooltipDelay.setInterval(kTooltipDelay);
    connect(&m_tooltipDelay, &QTimer::timeout, this, &GraphCanvas::showTooltip);
    m_minimap->hide();
    connect(&m_fade, &StepFade::frame, this, qOverload<>(&QWidget::update));
    connect(m_minimap, &Minimap::lookAt, this, [this](QPointF scene) { m_camera->set(scene, m_camera->zoom()); });
    setCamera(camera);
    setSelection(selection);
}

void GraphCanvas::setSelection(Selection* selection)
{
    if (m_selection)
        disconnect(m_selection, nullptr, this, nullptr);
    m_selection = selection;
    const auto follow = [this] {
        describe();
        updateNear();
        update();
    };
    connect(m_selection, &Selection::changed, this, follow);
    follow();
}

void GraphCanvas::setCamera(Camera* camera)
{
    if (m_camera)
        disconnect(m_camera, nullptr, this, nullptr);
    m_camera = camera;
    connect(m_camera, &Camera::changed, this, [this] {
        m_fade.stop(); // what fades stands where the camera was
        m_minimap->setView(visibleScene());
        update();
    });
    m_minimap->setView(visibleScene());
    update();
}

void GraphCanvas::setPicture(PicturePtr picture)
{
    auto grid = std::make_shared<SpatialGrid>();
    if (picture)
        grid->build(*picture);
    setPicture(std::move(picture), std::move(grid), std::nullopt);
}

void GraphCanvas::setPicture(PicturePtr picture, std::shared_ptr<const SpatialGrid> grid,
                             const std::optional<QPointF>& moved)
{
    m_fade.stop();
    const bool fading = fades(picture.get(), moved.has_value());
    // the camera is where it will be: what was shown stood aside by as much
    const QPixmap was = fading ? frame(*m_picture, moved.value_or(QPointF()), nullptr) : QPixmap();
    const PicturePtr before = std::exchange(m_picture, std::move(picture));
    m_grid = std::move(grid);
    if (m_picture && !m_picture->find(m_hovered))
        m_hovered = ir::kNoNode;
    if (m_picture && !m_placed && isVisible())
        showStart();
    m_minimap->setPicture(m_picture, m_theme);
    m_overlayBar->setOverlay(m_picture ? m_picture->overlay : nullptr, m_theme);
    showHulls(m_hullsShown);
    updateNear();
    describe();
    if (fading)
        fadeFrom(before, was, moved);
    update();
}

/// Whether what changes may fade: a step that leaves the boxes at their places, or moves them on purpose.
bool GraphCanvas::fades(const Picture* next, bool moves) const
{
    constexpr std::size_t kMost = 400; // boxes: more frames are painted
    return m_settings.animate && isVisible() && m_picture && next && next->nodes.size() <= kMost
           && (moves || (m_picture->event != next->event && m_picture->bounds == next->bounds));
}

void GraphCanvas::fadeFrom(const PicturePtr& before, const QPixmap& was, const std::optional<QPointF>& moved)
{
    NodeSet came;
    for (const NodeItem& node : m_picture->nodes)
        if (const NodeItem* old = before->find(node.id); !old || old->ghost != node.ghost)
            came.insert(node.id);
    StepFade::Way way;
    if (moved)
        way = [this, before, after = m_picture, shift = *moved](double t) {
            return frame(between(*before, *after, shift, t), {}, nullptr);
        };
    m_fade.start(was, frame(*m_picture, {}, &came), std::move(way));
}

/// The canvas as it would be painted with a picture, that one moved by `shift`, without some boxes.
QPixmap GraphCanvas::frame(const Picture& picture, QPointF shift, const NodeSet* without)
{
    QPixmap out(size() * devicePixelRatioF());
    out.setDevicePixelRatio(devicePixelRatioF());
    out.fill(Theme::of(m_theme).ink(Ink::Page));
    QPainter painter(&out);
    painter.translate(shift * m_camera->zoom());
    paintGraph(painter, picture, without, visibleScene().translated(-shift));
    return out;
}

void GraphCanvas::showHulls(bool show)
{
    m_hullsShown = show;
    m_hulls = show && m_picture ? hullsOf(*m_picture) : std::vector<Hull>();
    update();
}

void GraphCanvas::setTheme(ThemeKind kind)
{
    m_theme = kind;
    m_minimap->setPicture(m_picture, m_theme);
    m_overlayBar->setOverlay(m_picture ? m_picture->overlay : nullptr, m_theme);
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

std::vector<ir::NodeId> GraphCanvas::nodesInView() const
{
    std::vector<ir::NodeId> out;
    const QRectF view = visibleScene();
    if (m_picture)
        for (const std::size_t i : m_grid->nodesIn(view))
            if (const NodeItem& node = m_picture->nodes[i]; node.reach().intersects(view))
                out.push_back(node.id);
    return out;
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
    // of ops one wants to read the labels, of folded modules the names
    const bool folded = std::any_of(m_picture->nodes.begin(), m_picture->nodes.end(),
                                    [](const NodeItem& n) { return n.container == Container::Folded; });
    if (m_camera->zoom() < kOverview)
        showMinimap(true);
    if (m_camera->zoom() < (folded ? kOverview : kReadable)) {
        const QRectF& all = m_picture->bounds;
        const double wide = width() / kReadable;
        const NodeItem* first = topmost(*m_picture);
        const double x = all.width() <= wide || !first
                             ? all.center().x()
                             : std::clamp(first->box.center().x(), all.left() + wide / 2, all.right() - wide / 2);
        m_camera->set({x, all.top() + height() / kReadable / 2}, kReadable);
    }
    m_start = {m_camera->center(), m_camera->zoom()};
}

bool GraphCanvas::isAtStart() const
{
    return m_camera->center() == m_start.center && qFuzzyCompare(m_camera->zoom(), m_start.zoom);
}

void GraphCanvas::frameSelection()
{
    const NodeItem* node = m_picture ? m_picture->find(m_selection->current().node) : nullptr;
    if (!node)
        return;
    m_history.leave(here());
    const QRectF area = node->area();
    const double zoom = std::min({2.0, width() * 0.5 / area.width(), height() * 0.5 / area.height()});
    // a node stays readable, an open module is shown whole
    m_camera->set(area.center(), node->container == Container::Open ? zoom * 1.8 : std::max(0.6, zoom));
}

void GraphCanvas::reveal(ir::NodeId id)
{
    const NodeItem* node = m_picture ? m_picture->find(id) : nullptr;
    if (!node || visibleScene().contains(node->reach()))
        return;
    m_history.leave(here());
    m_camera->set(node->reach().center(), m_camera->zoom());
}

GraphCanvas::Hit GraphCanvas::hitAt(QPointF widget) const
{
    Hit hit;
    if (!m_picture)
        return hit;
    const QPointF at = toScene(widget);
    const double reach = kEdgeReach / m_camera->zoom();
    const QRectF near(at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
    for (const std::size_t i : m_grid->nodesIn(near)) {
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
    for (const std::size_t i : m_grid->edgesIn(near)) {
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
    if (m_picture)
        paintGraph(painter, *m_picture, nullptr, visibleScene());
    m_fade.paint(painter);
    for (const EdgeHint& hint : hints())
        paintHint(painter, hint, theme);
    if (m_drag == Drag::ZoomBand || m_drag == Drag::SelectBand) {
        QColor veil = theme.ink(Ink::Selection);
        veil.setAlphaF(0.12F);
        painter.setPen(theme.pen(Ink::Selection, 1));
        painter.setBrush(veil);
        painter.drawRect(QRectF(m_pressed, m_last).normalized());
    }
    if (hasFocus()) {
        painter.setPen(theme.pen(Ink::Focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

std::vector<EdgeHint> GraphCanvas::hints() const
{
    const QRectF map = m_minimap->isVisible() ? QRectF(m_minimap->geometry()) : QRectF();
    return m_picture ? edgeHints(*m_picture, visibleScene(), size(), map) : std::vector<EdgeHint>();
}

void GraphCanvas::paintGraph(QPainter& painter, const Picture& picture, const NodeSet* without, const QRectF& view)
{
    painter.save();
    painter.translate(width() / 2.0, height() / 2.0);
    painter.scale(m_camera->zoom(), m_camera->zoom());
    painter.translate(-m_camera->center());
    PaintOptions options;
    options.clip = view;
    // where all is seen there is nothing to look up, and of a picture on its way there is no grid
    const bool all = &picture != m_picture.get() || view.contains(picture.bounds);
    const std::vector<std::size_t> nodes = all ? std::vector<std::size_t>{} : m_grid->nodesIn(options.clip);
    const std::vector<std::size_t> edges = all ? std::vector<std::size_t>{} : m_grid->edgesIn(options.clip);
    options.detail = detailAt(m_camera->zoom());
    options.zoom = m_camera->zoom();
    options.background = false;
    options.hovered = m_hovered;
    const Selected& selected = m_selection->current();
    options.selected = selected.kind == Selected::Kind::Node ? selected.node : ir::kNoNode;
    if (selected.kind == Selected::Kind::Label)
        options.selectedLabel = selected.label;
    options.focused = hasFocus() ? selected.node : ir::kNoNode;
    options.marked = &m_selection->marked();
    options.lit = m_focusMode && !m_near.empty() ? &m_near : nullptr;
    options.without = without;
    options.selectedGroup = selected.kind == Selected::Kind::Group ? selected.group : -1;
    options.nodes = all ? nullptr : &nodes;
    options.edges = all ? nullptr : &edges;
    options.hulls = &picture == m_picture.get() ? &m_hulls : nullptr; // they follow when all is there
    paint(painter, picture, Theme::of(m_theme), options);
    painter.restore();
}

void GraphCanvas::leaveEvent(QEvent*)
{
    m_tooltipDelay.stop();
    hover(ir::kNoNode);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        const Hit hit = hitAt(event->pos());
        if (hit.node == ir::kNoNode && !hit.label && !hit.edge) {
            Q_EMIT menuRequested(ir::kNoNode, event->globalPos());
            return;
        }
        select(hit); // the menu is about what it was asked for
    }
    Q_EMIT menuRequested(m_selection->current().node, event->globalPos());
}

void GraphCanvas::resizeEvent(QResizeEvent*)
{
    m_minimap->place();
    m_minimap->setView(visibleScene());
    if (m_picture && (!m_placed || isAtStart()))
        showStart();
}

bool GraphCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::Show && m_picture && !m_placed)
        showStart();
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        update();
        if (hasFocus())
            announceFocus(this, selectedNode());
    }
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            m_camera->zoomAt(toScene(gesture->position()), 1 + gesture->value());
            return true;
        }
    }
    return QWidget::event(event);
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
    if (hasFocus())
        announceFocus(this, selectedNode());
}

void GraphCanvas::showMinimap(bool show)
{
    m_minimap->place();
    if (show == m_minimap->isVisibleTo(this))
        return;
    m_minimap->setVisible(show);
    Q_EMIT minimapShown(show);
}

void GraphCanvas::setFocusMode(bool on)
{
    m_focusMode = on;
    updateNear();
    update();
}

NodeSet GraphCanvas::chosen() const
{
    NodeSet out = m_selection->marked();
    if (m_selection->current().node != ir::kNoNode)
        out.insert(m_selection->current().node);
    return out;
}

void GraphCanvas::updateNear()
{
    constexpr int kNear = 2;
    m_near.clear();
    const NodeSet from = chosen();
    if (!m_focusMode || !m_picture || from.empty())
        return;
    m_near = within(*m_picture, from, Direction::Both, kNear);
    // the frames around stay, so that one sees where it is
    for (std::size_t i = m_picture->nodes.size(); i-- > 0;) {
        const NodeItem& node = m_picture->nodes[i];
        if (m_near.contains(node.id) && node.module > 0)
            m_near.insert(groupId(node.module));
    }
}

} // namespace gb::views
