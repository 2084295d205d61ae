#include "canvas/canvas_accessible.h"

#include "canvas/graph_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <algorithm>
#include <map>

namespace gb::views {
namespace {

/// One box. It outlives its picture: what is gone says nothing and has no place.
class BoxInterface final : public QAccessibleInterface {
public:
    BoxInterface(GraphCanvas* canvas, ir::NodeId node)
        : m_canvas(canvas)
        , m_node(node)
    {
    }

    [[nodiscard]] bool isValid() const override { return item() != nullptr; }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return m_canvas ? QAccessible::queryAccessibleInterface(m_canvas) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        const NodeItem* node = item();
        if (!node)
            return {};
        return kind == QAccessible::Name          ? node->accessible
               : kind == QAccessible::Description ? node->tooltip
                                                  : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override
    {
        const NodeItem* node = item();
        if (!node)
            return {};
        const QRectF area = node->reach();
        return QRectF(m_canvas->mapToGlobal(m_canvas->toWidget(area.topLeft())),
                      area.size() * m_canvas->camera()->zoom())
            .toAlignedRect();
    }
    [[nodiscard]] QAccessible::Role role() const override
    {
        const NodeItem* node = item();
        return node && node->container != Container::No ? QAccessible::Grouping : QAccessible::ListItem;
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State out;
        const NodeItem* node = item();
        out.invalid = !node;
        out.focusable = out.selectable = true;
        out.expandable = node && node->container != Container::No;
        out.expanded = node && node->container == Container::Open;
        out.collapsed = node && node->container == Container::Folded;
        out.selected = node && m_canvas->selectedNode() == m_node;
        out.focused = out.selected && m_canvas->hasFocus();
        return out;
    }

private:
    [[nodiscard]] const NodeItem* item() const
    {
        return m_canvas && m_canvas->picture() ? m_canvas->picture()->find(m_node) : nullptr;
    }

    QPointer<GraphCanvas> m_canvas;
    ir::NodeId m_node;
};

class CanvasInterface final : public QAccessibleWidget {
public:
    explicit CanvasInterface(GraphCanvas* canvas)
        : QAccessibleWidget(canvas, QAccessible::Graphic)
    {
    }
    ~CanvasInterface() override
    {
        for (const auto& [node, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    [[nodiscard]] int childCount() const override { return static_cast<int>(shown().size()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        const std::vector<ir::NodeId> nodes = shown();
        return index < 0 || index >= static_cast<int>(nodes.size()) ? nullptr
                                                                    : boxOf(nodes[static_cast<std::size_t>(index)]);
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        const ir::NodeId node = canvas()->hitAt(canvas()->mapFromGlobal(QPointF(x, y))).node;
        return node == ir::kNoNode ? nullptr : boxOf(node);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override
    {
        const std::vector<ir::NodeId> nodes = shown();
        const auto found =
            std::find_if(nodes.begin(), nodes.end(), [&](ir::NodeId node) { return boxOf(node) == child; });
        return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override
    {
        const ir::NodeId node = canvas()->selectedNode();
        return canvas()->picture() && canvas()->picture()->find(node) ? boxOf(node) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* boxOf(ir::NodeId node) const
    {
        const auto [place, isNew] = m_ids.try_emplace(node, 0);
        if (isNew)
            place->second = QAccessible::registerAccessibleInterface(new BoxInterface(canvas(), node));
        return QAccessible::accessibleInterface(place->second);
    }

private:
    [[nodiscard]] GraphCanvas* canvas() const { return static_cast<GraphCanvas*>(widget()); }
    [[nodiscard]] std::vector<ir::NodeId> shown() const { return canvas()->nodesInView(); }

    mutable std::map<ir::NodeId, QAccessible::Id> m_ids;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* canvas = qobject_cast<GraphCanvas*>(object);
    return canvas ? new CanvasInterface(canvas) : nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

void announceFocus(GraphCanvas* canvas, ir::NodeId node)
{
    if (!QAccessible::isActive())
        return;
    auto* whole = dynamic_cast<CanvasInterface*>(QAccessible::queryAccessibleInterface(canvas));
    if (!whole || !canvas->picture() || !canvas->picture()->find(node))
        return;
    QAccessibleEvent event(whole->boxOf(node), QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
}

} // namespace gb::views
