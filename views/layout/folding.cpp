// What is open at first, what all open is, and what lies around some cells.
#include "layout/arrangement.h"

#include <deque>

namespace gb::views {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

bool opensAtFirst(const ModuleGroup& group)
{
    return group.kind == ModuleGroup::Kind::Module || group.kind == ModuleGroup::Kind::Part;
}

} // namespace

Folding firstFolding(const ModuleTree& tree, const Tucked& tucked, std::size_t boxes)
{
    Folding out;
    out.unfolded.resize(tree.groups().size(), false);
    const auto boxesOf = [&](int group) {
        std::size_t count = tree.group(group).children.size();
        for (const ModuleChild& child : tree.group(group).children)
            if (const auto beside = tucked.columns.find(child.index); !child.isGroup && beside != tucked.columns.end())
                for (const std::vector<int>& column : beside->second)
                    count += column.size();
        return count;
    };
    std::size_t shown = boxesOf(0);
    std::vector<int> level{0};
    while (!level.empty()) {
        std::vector<int> next;
        for (const int group : level)
            for (const ModuleChild& child : tree.group(group).children)
                if (child.isGroup && opensAtFirst(tree.group(child.index)))
                    next.push_back(child.index);
        for (const int group : next)
            shown += boxesOf(group);
        if (shown > boxes)
            break;
        for (const int group : next)
            out.unfolded[at(group)] = true;
        level = std::move(next);
    }
    return out;
}

Folding allUnfolded(const ModuleTree& tree)
{
    Folding out;
    out.unfolded.assign(tree.groups().size(), true);
    return out;
}

std::vector<bool> cellsAround(const UnionGraph& graph, const Tucked& tucked, const std::vector<int>& seeds, int steps)
{
    std::vector<std::vector<int>> near(graph.cells().size());
    for (const UnionGraph::Edge& e : graph.edges()) {
        near[at(e.from)].push_back(e.to);
        near[at(e.to)].push_back(e.from);
    }
    std::vector<int> distance(graph.cells().size(), -1);
    std::deque<int> queue;
    for (const int seed : seeds) {
        distance[at(tucked.host[at(seed)])] = 0;
        queue.push_back(tucked.host[at(seed)]);
    }
    while (!queue.empty()) {
        const int cell = queue.front();
        queue.pop_front();
        for (const int next : near[at(cell)]) {
            // a slot is on the way to an op, not a step
            const int reached = distance[at(cell)] + (graph.cells()[at(next)].slot ? 0 : 1);
            if (tucked.host[at(next)] != next || reached > steps
                || (distance[at(next)] >= 0 && distance[at(next)] <= reached))
                continue;
            distance[at(next)] = reached;
            reached == distance[at(cell)] ? queue.push_front(next) : queue.push_back(next);
        }
    }
    std::vector<bool> out;
    for (std::size_t i = 0; i < distance.size(); ++i)
        out.push_back(distance[at(tucked.host[i])] >= 0);
    return out;
}

} // namespace gb::views
