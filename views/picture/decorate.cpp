#include "picture/decorate.h"

#include "picture/scene_data.h"

#include <algorithm>
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

void layOver(Picture& picture, const OverlayPtr& overlay)
{
    picture.overlay = overlay;
    if (!overlay)
        return;
    for (NodeItem& node : picture.nodes) {
        const auto value = overlay->values.find(node.id);
        if (value == overlay->values.end() || node.ghost)
            continue;
        node.overlay = overlay->position(value->second);
        node.overlayText = overlay->text(value->second);
        const QString line = QStringLiteral("%1: %2").arg(overlay->title, node.overlayText);
        node.tooltip += QLatin1Char('\n') + line;
        node.accessible += QStringLiteral(", ") + line;
    }
}

} // namespace gb::views
