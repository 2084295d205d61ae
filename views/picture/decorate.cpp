#include "picture/decorate.h"

#include "picture/scene_data.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <numeric>

namespace gb::views {

std::vector<GroupFacts> countGroups(const Scene& scene, const trace::GraphMoment& moment)
{
    const auto& groups = scene.tree.groups();
    std::vector<GroupFacts> facts(groups.size());
    for (const ir::Node* node = moment.graph->first(); node; node = node->next()) {
        const int cell = scene.unionGraph.cellOf(*node);
        if (cell < 0)
            continue;
        GroupFacts& at = facts[static_cast<std::size_t>(scene.tree.groupOf(cell))];
        const Helper helper = helperKind(*node);
        at.observers += helper == Helper::Observer;
        at.pairs += helper == Helper::Dequantize;
        at.constants += node->op() == ir::Op::GetAttr;
        if (helper != Helper::No || node->op() != ir::Op::CallFunction)
            continue;
        ++at.ops;
        const bool labelled = hasLabel(*node);
        at.labelled += labelled;
        at.unlabelled += !labelled && scene.judged.contains(node->id()) && !isBuiltin(*node);
    }
    // inner groups first, so that each is whole when its parent takes it
    std::vector<int> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return groups[static_cast<std::size_t>(a)].depth > groups[static_cast<std::size_t>(b)].depth;
    });
    for (const int group : order)
        if (const int parent = groups[static_cast<std::size_t>(group)].parent; parent >= 0)
            facts[static_cast<std::size_t>(parent)] += facts[static_cast<std::size_t>(group)];
    return facts;
}

namespace {

std::vector<ir::NodeId> basesOf(const ir::Node& node, const ir::Graph& graph)
{
    std::vector<ir::NodeId> out;
    for (const ir::NodeId input : argumentNodes(node))
        if (const ir::Node* from = graph.find(input))
            out.push_back(baseOf(from)->id());
    return out;
}

/// Of each folded module the worst value in it.
std::map<ir::NodeId, double> worstOf(const Overlay& overlay, const std::unordered_map<ir::NodeId, ir::NodeId>& shownAs)
{
    std::map<ir::NodeId, double> out;
    for (const auto& [node, value] : overlay.values) {
        const auto as = shownAs.find(node);
        if (as == shownAs.end() || groupOfId(as->second) < 0)
            continue;
        const auto [place, isNew] = out.try_emplace(as->second, value);
        if (!isNew)
            place->second = overlay.lowIsWorst ? std::min(place->second, value) : std::max(place->second, value);
    }
    return out;
}

} // namespace

void layOver(Picture& picture, const OverlayPtr& overlay, const std::unordered_map<ir::NodeId, ir::NodeId>& shownAs)
{
    picture.overlay = overlay;
    if (!overlay)
        return;
    const std::map<ir::NodeId, double> worst = worstOf(*overlay, shownAs);
    for (NodeItem& node : picture.nodes) {
        const bool folded = node.container == Container::Folded;
        const auto& from = folded ? worst : overlay->values;
        const auto value = from.find(node.id);
        if (value == from.end() || node.ghost)
            continue;
        node.overlay = overlay->position(value->second);
        node.overlayText = overlay->text(value->second);
        if (folded)
            node.overlayText = QCoreApplication::translate("gb::views::group", "worst %1").arg(node.overlayText);
        const QString line = QStringLiteral("%1: %2").arg(overlay->title, node.overlayText);
        node.tooltip += QLatin1Char('\n') + line;
        node.accessible += QStringLiteral(", ") + line;
    }
}

void markChanges(Picture& picture, const ir::Graph& before, const ir::Graph& now)
{
    for (NodeItem& item : picture.nodes) {
        const ir::Node* was = before.find(item.id);
        const ir::Node* is = now.find(item.id);
        if (item.container != Container::No)
            continue;
        if (item.ghost)
            item.change = was ? Change::Removed : Change::None;
        else if (!was)
            item.change = Change::Added;
        else if (is
                 && (was->target() != is->target()
                     || was->annotation() != is->annotation()
                     // observers and q/dq between a node and its inputs are changes of their own
                     || basesOf(*was, before) != basesOf(*is, now)))
            item.change = Change::Changed;
    }
}

} // namespace gb::views
