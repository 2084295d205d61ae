#include "export/crop.h"

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kMargin = 24;

bool isInside(const NodeItem& node, const QRectF& area)
{
    const QRectF box = node.area();
    const QRectF both = box.intersected(area);
    return both.width() * both.height() * 2 > box.width() * box.height();
}

/// A frame that goes on beyond the edge ends there; its title stays in it.
NodeItem cut(NodeItem frame, const QRectF& area)
{
    const QRectF box = frame.box.intersected(area);
    const QPointF move = box.topLeft() - frame.box.topLeft();
    frame.box = box;
    frame.strip = QRectF(frame.strip.topLeft() + move, QSizeF(box.width(), frame.strip.height()));
    for (TextItem& text : frame.texts) {
        text.rect.translate(move);
        text.rect.setWidth(std::min(text.rect.width(), box.right() - text.rect.left()));
    }
    return frame;
}

} // namespace

PicturePtr cropped(const Picture& picture, const QRectF& area)
{
    auto out = std::make_shared<Picture>();
    out->graph = picture.graph;
    out->event = picture.event;
    out->overlay = picture.overlay;
    out->note = picture.note;
    QRectF content;
    for (const NodeItem& node : picture.nodes)
        if (node.container != Container::Open && isInside(node, area))
            content |= node.area();
    if (content.isEmpty())
        return nullptr;
    const QRectF frame = content.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    for (const NodeItem& node : picture.nodes) {
        const bool open = node.container == Container::Open;
        // a title needs room of its own above what it holds
        if (open ? !node.box.intersects(content) : !isInside(node, area))
            continue;
        out->index[node.id] = out->nodes.size();
        out->nodes.push_back(open ? cut(node, frame.adjusted(0, -node.strip.height(), 0, 0)) : node);
    }
    out->bounds = frame;
    for (const NodeItem& node : out->nodes)
        out->bounds |= node.area().adjusted(-kMargin, -kMargin, kMargin, kMargin);
    for (const EdgeItem& edge : picture.edges)
        if (out->find(edge.from) && out->find(edge.to)) {
            out->edges.push_back(edge);
            out->bounds |= edge.bounds.adjusted(-4, -4, 4, 4);
        }
    std::copy_if(picture.touched.begin(), picture.touched.end(), std::back_inserter(out->touched),
                 [&](ir::NodeId id) { return out->find(id) != nullptr; });
    return out;
}

} // namespace gb::views
