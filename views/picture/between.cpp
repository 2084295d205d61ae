#include "picture/between.h"

#include <algorithm>

namespace gb::views {
namespace {

void move(std::vector<TextItem>& texts, QPointF by)
{
    for (TextItem& text : texts)
        text.rect.translate(by);
}

void move(NodeItem& node, QPointF by)
{
    for (QRectF* rect : {&node.box, &node.strip, &node.badgeRect, &node.sparklineRect})
        rect->translate(by);
    move(node.texts, by);
    for (LabelItem& label : node.labels) {
        label.rect.translate(by);
        label.chipRect.translate(by);
        move(label.texts, by);
    }
}

QRectF mixed(const QRectF& a, const QRectF& b, double t)
{
    return QRectF(a.topLeft() * (1 - t) + b.topLeft() * t, a.size() * (1 - t) + b.size() * t);
}

/// Points near an end go with its box, those in the middle half with each.
void move(EdgeItem& edge, QPointF from, QPointF to)
{
    const auto last = static_cast<double>(std::max<std::size_t>(1, edge.curve.size() - 1));
    edge.bounds = {};
    for (std::size_t i = 0; i < edge.curve.size(); ++i) {
        const double share = static_cast<double>(i) / last;
        edge.curve[i] += from * (1 - share) + to * share;
        edge.bounds |= QRectF(edge.curve[i] - QPointF(1, 1), QSizeF(2, 2));
    }
}

} // namespace

Picture between(const Picture& before, const Picture& after, QPointF shift, double t)
{
    Picture out;
    out.graph = after.graph;
    out.event = after.event;
    out.bounds = after.bounds;
    std::unordered_map<ir::NodeId, QPointF> moved;
    for (const NodeItem& node : after.nodes) {
        const NodeItem* was = before.find(node.id);
        if (!was || was->ghost != node.ghost)
            continue;
        const QPointF by = (was->box.topLeft() + shift - node.box.topLeft()) * (1 - t);
        moved[node.id] = by;
        out.index[node.id] = out.nodes.size();
        out.nodes.push_back(node);
        NodeItem& shown = out.nodes.back();
        move(shown, by);
        if (node.container == Container::Open
            && was->container == Container::Open) { // a frame grows with what it holds
            shown.box = mixed(was->box.translated(shift), node.box, t);
            shown.strip = mixed(was->strip.translated(shift), node.strip, t);
        }
        out.bounds |= shown.area();
    }
    for (const EdgeItem& edge : after.edges) {
        const auto from = moved.find(edge.from);
        const auto to = moved.find(edge.to);
        if (from == moved.end() || to == moved.end())
            continue;
        out.edges.push_back(edge);
        move(out.edges.back(), from->second, to->second);
        out.bounds |= out.edges.back().bounds;
    }
    return out;
}

} // namespace gb::views
