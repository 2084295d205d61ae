#include "canvas/neighbourhood.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>

namespace gb::views {
namespace {

/// An open module is asked for by its frame, but lines end at what is in it.
NodeSet withContents(const Picture& picture, const NodeSet& from)
{
    NodeSet out = from;
    std::unordered_set<int> open;
    for (const NodeItem& node : picture.nodes) {
        const bool inside = open.contains(node.module);
        if (node.container == Container::Open && (inside || from.contains(node.id)))
            open.insert(groupOfId(node.id));
        if (inside)
            out.insert(node.id);
    }
    return out;
}

using Neighbours = std::unordered_map<ir::NodeId, std::vector<ir::NodeId>>;

Neighbours neighbours(const Picture& picture, Direction direction)
{
    Neighbours out;
    for (const EdgeItem& edge : picture.edges) {
        if (direction != Direction::Up)
            out[edge.from].push_back(edge.to);
        if (direction != Direction::Down)
            out[edge.to].push_back(edge.from);
    }
    return out;
}

} // namespace

NodeSet within(const Picture& picture, const NodeSet& from, Direction direction, int steps)
{
    NodeSet out = withContents(picture, from);
    const Neighbours next = neighbours(picture, direction);
    std::vector<ir::NodeId> ring(out.begin(), out.end());
    for (int step = 0; step < steps && !ring.empty(); ++step) {
        std::vector<ir::NodeId> wider;
        for (const ir::NodeId id : ring) {
            const auto found = next.find(id);
            if (found == next.end())
                continue;
            for (const ir::NodeId to : found->second)
                if (out.insert(to).second)
                    wider.push_back(to);
        }
        ring = std::move(wider);
    }
    return out;
}

NodeSet reachable(const Picture& picture, const NodeSet& from, Direction direction)
{
    return within(picture, from, direction, INT_MAX);
}

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

const NodeItem* beside(const Picture& picture, const NodeItem& from, bool right)
{
    const NodeItem* best = nullptr;
    for (const NodeItem& node : picture.nodes) {
        const double dx = node.box.center().x() - from.box.center().x();
        const bool sameRow = node.box.top() < from.area().bottom() && from.box.top() < node.area().bottom();
        if (!sameRow || node.id == from.id || node.container == Container::Open || (right ? dx <= 0 : dx >= 0))
            continue;
        if (!best || std::abs(dx) < std::abs(best->box.center().x() - from.box.center().x()))
            best = &node;
    }
    return best;
}

const NodeItem* sibling(const Picture& picture, const NodeItem& from, bool next)
{
    std::vector<const NodeItem*> all;
    for (const NodeItem& node : picture.nodes)
        if (node.module == from.module && !node.ghost)
            all.push_back(&node);
    const auto here = std::find(all.begin(), all.end(), picture.find(from.id));
    if (here == all.end() || all.size() < 2)
        return nullptr;
    const std::size_t at = static_cast<std::size_t>(here - all.begin());
    return all[(at + (next ? 1 : all.size() - 1)) % all.size()];
}

} // namespace gb::views
