#include "export/model_explorer.h"

#include "layout/union_graph.h"
#include "theme/perceptual.h"
#include "theme/theme.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace gb::views {
namespace {

using Json = nlohmann::ordered_json;

Json keyValue(const std::string& key, const QString& value)
{
    return {{"key", key}, {"value", value.toStdString()}};
}

/// "features.denseblock1" in "features" -> "features/denseblock1": a part of each frame's path beyond the one around
/// it.
std::string nameSpace(const ir::Node& node)
{
    std::string out;
    std::string around;
    for (const ir::ModuleFrame& frame : node.meta().nnModuleStack) {
        if (frame.path.empty())
            continue;
        std::string part = frame.path;
        if (!around.empty() && part.starts_with(around + "."))
            part = part.substr(around.size() + 1);
        around = frame.path;
        for (char& c : part)
            if (c == '/')
                c = '_';
        out += (out.empty() ? "" : "/") + part;
    }
    return out;
}

/// Helpers and constants that say no module themselves stand where the op is that takes them; inputs of the model in
/// none, else a folded module would hide them.
std::string placeOf(const ir::Node& node)
{
    const ir::Node* at = &node;
    if (node.op() == ir::Op::Placeholder)
        return {};
    for (int steps = 0; steps < 16 && at->meta().nnModuleStack.empty() && !at->users().empty(); ++steps)
        at = at->users()[0];
    return at->op() == ir::Op::Output ? std::string() : nameSpace(*at);
}

QString wholeText(const TextItem& item)
{
    return item.whole.isEmpty() ? plainText(item.runs) : item.whole;
}

Json attributesOf(const ir::Node& node, const NodeItem* item)
{
    Json out = Json::array();
    out.push_back(keyValue("op", QString::fromLatin1(ir::name(node.op()))));
    out.push_back(keyValue("target", QString::fromStdString(node.target())));
    if (!item)
        return out;
    // the first line is the name, and some of the others say what stands there already
    const QString known[] = {QString::fromStdString(node.name()), QString::fromStdString(node.target()),
                             QString::fromStdString(nameSpace(node)).replace(QLatin1Char('/'), QLatin1Char('.'))};
    int details = 0;
    bool first = true;
    for (const TextItem& text : item->texts) {
        if (text.from != Detail::Full || std::exchange(first, false)
            || std::ranges::find(known, wholeText(text)) != std::end(known))
            continue;
        out.push_back(keyValue(++details == 1 ? "detail" : "detail " + std::to_string(details), wholeText(text)));
    }
    for (const LabelItem& label : item->labels) {
        QStringList parts;
        for (const TextItem& text : label.texts)
            if (text.from == Detail::Full)
                parts << wholeText(text);
        const QString name = parts.isEmpty() ? QString() : parts.takeFirst();
        out.push_back(keyValue("label " + name.chopped(name.endsWith(QLatin1Char(':')) ? 1 : 0).toStdString(),
                               parts.join(QLatin1Char(' '))));
    }
    if (item->role == NodeRole::NotAnnotated)
        out.push_back(keyValue("annotated", QStringLiteral("no")));
    if (!item->overlayText.isEmpty())
        out.push_back(keyValue("value", item->overlayText));
    return out;
}

Json outputsOf(const ir::Node& node)
{
    const ir::TensorMeta* val = node.val();
    if (!val)
        return Json::array();
    QStringList sizes;
    for (const ir::Dim& dim : val->shape)
        sizes << (dim.symbol.empty() ? QString::number(dim.size) : QString::fromStdString(dim.symbol));
    const QString type = shortName(val->dtype) + QLatin1Char('[') + sizes.join(QLatin1Char(',')) + QLatin1Char(']');
    return Json::array({{{"id", "0"}, {"attrs", Json::array({keyValue("tensor_shape", type)})}}});
}

Json edgesOf(const ir::Node& node, const ir::Graph& graph)
{
    Json out = Json::array();
    const auto inputs = argumentNodes(node);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const ir::Node* input = graph.find(inputs[i]))
            out.push_back({{"sourceNodeId", input->name()},
                           {"sourceNodeOutputId", "0"},
                           {"targetNodeInputId", std::to_string(i)}});
    return out;
}

QString labelOf(const ir::Node& node, const trace::GraphMoment& facts)
{
    // all observers are called activation_post_process: what they are says more. In plain letters, that program's boxes
    // have no others
    const auto observer = facts.observers.find(node.target());
    if (node.op() == ir::Op::CallModule && observer != facts.observers.end()) {
        const std::string& inner = observer->second->inner;
        return QString::fromStdString(observer->second->type + (inner.empty() ? "" : " (" + inner + ")"));
    }
    const QString target = QString::fromStdString(node.target());
    // "aten.conv2d.default" -> "conv2d"
    if (node.op() == ir::Op::CallFunction && target.count(QLatin1Char('.')) >= 2)
        return target.section(QLatin1Char('.'), -2, -2);
    return QString::fromStdString(node.name());
}

/// Green boxes are green there, too. Ops keep that program's own colours, which are what it marks a selection with.
Json styleOf(NodeRole role)
{
    const Theme& theme = Theme::of(ThemeKind::Light);
    switch (role) {
    case NodeRole::Observer:
    case NodeRole::Quantize:
    case NodeRole::Dequantize:
    case NodeRole::Weight:
        return {{"backgroundColor", theme.fill(role).name().toStdString()},
                {"borderColor", theme.border(role).name().toStdString()}};
    case NodeRole::NotAnnotated: return {{"borderColor", theme.border(role).name().toStdString()}};
    default: return Json::object();
    }
}

Json nodeOf(const ir::Node& node, const NodeItem* item, const trace::GraphMoment& facts)
{
    Json out{{"id", node.name()},
             {"label", labelOf(node, facts).toStdString()},
             {"namespace", placeOf(node)},
             {"attrs", attributesOf(node, item)},
             {"incomingEdges", edgesOf(node, node.graph())},
             {"outputsMetadata", outputsOf(node)}};
    if (Json style = item ? styleOf(item->role) : Json(); !style.empty())
        out["style"] = std::move(style);
    return out;
}

} // namespace

std::string toModelExplorer(const std::string& model, const std::vector<ModelExplorerGraph>& graphs)
{
    Json all{{"label", model}, {"graphs", Json::array()}};
    for (const ModelExplorerGraph& stage : graphs) {
        Json graph{{"id", stage.name}, {"nodes", Json::array()}};
        for (const ir::Node* node = stage.facts->graph->first(); node; node = node->next())
            graph["nodes"].push_back(nodeOf(*node, stage.picture->find(node->id()), *stage.facts));
        all["graphs"].push_back(std::move(graph));
    }
    // names of a broken file may hold anything: what is no UTF-8 is replaced
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string toModelExplorerData(const std::vector<ModelExplorerGraph>& graphs)
{
    constexpr int kStops = 8;
    Json all = Json::object();
    for (const ModelExplorerGraph& stage : graphs) {
        const OverlayPtr& overlay = stage.picture->overlay;
        if (!overlay || overlay->values.empty())
            continue;
        Json results = Json::object();
        for (const auto& [id, value] : overlay->values)
            if (const ir::Node* node = stage.facts->graph->find(id))
                results[node->name()] = {{"value", value}};
        Json gradient = Json::array();
        for (int i = 0; i <= kStops; ++i) {
            const double stop = static_cast<double>(i) / kStops;
            // colours are spread over the values there: where ours follow the logarithm, so do these
            const double value = overlay->low + stop * (overlay->high - overlay->low);
            const QColor colour = perceptual(overlay->position(value));
            gradient.push_back({{"stop", stop}, {"bgColor", colour.name().toStdString()}});
        }
        const QString unit = overlay->unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(overlay->unit);
        all[stage.name] = {{"name", (overlay->title + unit).toStdString()},
                           {"results", std::move(results)},
                           {"gradient", std::move(gradient)}};
    }
    return all.empty() ? std::string() : all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gb::views
