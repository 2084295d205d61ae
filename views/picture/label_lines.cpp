#include "picture/label_lines.h"

#include "layout/union_graph.h"

#include <QCoreApplication>

#include <algorithm>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::node", text);
}

ir::Spec specAt(const ir::Graph& graph, const ir::Position& position)
{
    const ir::Node* node = graph.find(position.isEdge() ? position.consumer : position.node);
    if (!node || !node->annotation())
        return nullptr;
    if (!position.isEdge())
        return node->annotation()->output;
    const ir::Spec* spec = node->annotation()->input(position.node);
    return spec ? *spec : nullptr;
}

QString nameOf(const ir::Graph& graph, ir::NodeId id)
{
    return QString::fromStdString(graph.nameOf(id));
}

LabelContext labelContext(const NodeContext& context, const ir::Position& position)
{
    const auto graph = context.facts.graph;
    return {[graph](ir::NodeId id) { return nameOf(*graph, id); },
            [graph](const ir::Position& p) { return specAt(*graph, p); }, context.sharing.at(position)};
}

struct FoundLabel {
    ir::Position position;
    const ir::Spec* spec = nullptr;
};

/// The entry for an input: by the producer above the helpers, or by what stood in its place before.
FoundLabel findLabel(const ir::Node& node, const ir::Node& base, const NodeContext& context)
{
    FoundLabel out{{base.id(), node.id()}, nullptr};
    if (!node.annotation())
        return out;
    if ((out.spec = node.annotation()->input(base.id())) || !context.sameCell)
        return out;
    for (const ir::NodeId id : context.sameCell(base.id())) {
        if (const ir::Spec* spec = node.annotation()->input(id))
            return {{id, node.id()}, spec};
    }
    return out;
}

void addInputLabels(std::vector<LabelLine>& out, const ir::Node& node, const NodeContext& context)
{
    std::vector<std::pair<const ir::Node*, int>> upstream;
    for (const ir::NodeId id : argumentNodes(node)) {
        const ir::Node* base = baseOf(context.facts.graph->find(id));
        if (!base)
            continue;
        const auto known =
            std::find_if(upstream.begin(), upstream.end(), [&](const auto& u) { return u.first == base; });
        if (known == upstream.end())
            upstream.emplace_back(base, 1);
        else
            ++known->second;
    }
    for (const auto& [base, times] : upstream) {
        const FoundLabel found = findLabel(node, *base, context);
        LabelLine line{found.position, nameOf(*context.facts.graph, found.position.node), {}, {}, {}};
        line.group = context.sharing.at(found.position);
        line.text = !context.recorded ? notRecordedLabel()
                    : found.spec      ? labelText(*found.spec, labelContext(context, found.position))
                                      : absentLabel();
        line.tooltip = tr("input %1: %2").arg(line.slot, line.text.words);
        if (times > 1)
            line.slot += times == 2 ? tr(" (twice)") : tr(" (%1 times)").arg(times);
        out.push_back(std::move(line));
    }
}

void addOutputLabel(std::vector<LabelLine>& out, const ir::Node& node, const NodeContext& context)
{
    if (!node.annotation() || !node.annotation()->output)
        return;
    const ir::Position position{node.id(), ir::kNoNode};
    LabelLine line{position,
                   tr("output"),
                   labelText(node.annotation()->output, labelContext(context, position)),
                   context.sharing.at(position),
                   {}};
    line.tooltip = tr("output: %1").arg(line.text.words);
    out.push_back(std::move(line));
}

} // namespace

std::vector<LabelLine> labelLines(const ir::Node& node, const NodeContext& context)
{
    std::vector<LabelLine> out;
    addInputLabels(out, node, context);
    addOutputLabel(out, node, context);
    return out;
}

} // namespace gb::views
