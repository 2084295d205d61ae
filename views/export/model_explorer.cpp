#include "export/model_explorer.h"

#include "layout/union_graph.h"

#include <nlohmann/json.hpp>

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

/// Helpers and constants that say no module themselves stand where the op is that takes them.
std::string placeOf(const ir::Node& node)
{
    const ir::Node* at = &node;
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
    int line = 0;
    for (const TextItem& text : item->texts)
        if (text.from == Detail::Full && line++ > 0)
            out.push_back(keyValue("line " + std::to_string(line), wholeText(text)));
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

QString labelOf(const ir::Node& node)
{
    const QString target = QString::fromStdString(node.target());
    // "aten.conv2d.default" -> "conv2d"
    if (node.op() == ir::Op::CallFunction && target.count(QLatin1Char('.')) >= 2)
        return target.section(QLatin1Char('.'), -2, -2);
    return QString::fromStdString(node.name());
}

} // namespace

std::string toModelExplorer(const std::string& model, const std::vector<ModelExplorerGraph>& graphs)
{
    Json all{{"label", model}, {"graphs", Json::array()}};
    for (const ModelExplorerGraph& stage : graphs) {
        Json graph{{"id", stage.name}, {"nodes", Json::array()}};
        for (const ir::Node* node = stage.facts->graph->first(); node; node = node->next())
            graph["nodes"].push_back({{"id", node->name()},
                                      {"label", labelOf(*node).toStdString()},
                                      {"namespace", placeOf(*node)},
                                      {"attrs", attributesOf(*node, stage.picture->find(node->id()))},
                                      {"incomingEdges", edgesOf(*node, *stage.facts->graph)},
                                      {"outputsMetadata", outputsOf(*node)}});
        all["graphs"].push_back(std::move(graph));
    }
    // names of a broken file may hold anything: what is no UTF-8 is replaced
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gb::views
