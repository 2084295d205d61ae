#include "panes/keep_place.h"

#include <cmath>

namespace gb::views {
namespace {

/// The node, or the module around it that is shown.
const NodeItem* standIn(const Picture& before, const Picture& after, const NodeItem& node)
{
    for (const NodeItem* n = &node; n; n = n->module > 0 ? before.find(groupId(n->module)) : nullptr)
        if (const NodeItem* found = after.find(n->id))
            return found;
    return nullptr;
}

/// A frame is kept by its title: its middle may be far from anything that is seen.
QPointF placeOf(const NodeItem& node)
{
    return {node.reach().center().x(), node.reach().top()};
}

} // namespace

QPointF keptPlace(const Picture& before, const Picture& after, const QRectF& view, ir::NodeId selected)
{
    const NodeItem* chosen = before.find(selected);
    if (chosen && view.intersects(chosen->reach()))
        if (const NodeItem* there = standIn(before, after, *chosen))
            return placeOf(*there) - placeOf(*chosen);
    const NodeItem* from = nullptr;
    const NodeItem* to = nullptr;
    double nearest = 0;
    for (const NodeItem& node : before.nodes) {
        const QPointF away = node.reach().center() - view.center();
        const double distance = std::hypot(away.x(), away.y());
        if (to && distance >= nearest)
            continue;
        if (const NodeItem* there = standIn(before, after, node)) {
            from = &node;
            to = there;
            nearest = distance;
        }
    }
    return to ? placeOf(*to) - placeOf(*from) : QPointF();
}

} // namespace gb::views
