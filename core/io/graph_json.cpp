#include "io/graph_json.h"

#include "io/spec_json.h"

namespace gb::io {
namespace {

/// repr() of a dict, which dump.py has no better word for; nodes stand as their names.
std::string pythonRepr(const ir::Argument& argument, const ir::Graph& graph);

std::string pythonList(const std::vector<ir::Argument>& items, const ir::Graph& graph, char open, char close)
{
    std::string out(1, open);
    for (std::size_t i = 0; i < items.size(); ++i)
        out += (i ? ", " : "") + pythonRepr(items[i], graph);
    return out + (close == ')' && items.size() == 1 ? "," : "") + close;
}

std::string pythonRepr(const ir::Argument& argument, const ir::Graph& graph)
{
    if (argument.isNone())
        return "None";
    if (const auto* flag = argument.as<bool>())
        return *flag ? "True" : "False";
    if (const auto* text = argument.as<std::string>())
        return "'" + *text + "'";
    if (const auto* dtype = argument.as<ir::DType>())
        return std::string("torch.") + ir::name(*dtype);
    if (const auto* opaque = argument.as<ir::Opaque>())
        return opaque->text;
    if (argument.nodeId() != ir::kNoNode)
        return graph.nameOf(argument.nodeId());
    if (const auto* list = argument.as<ir::Sequence>())
        return pythonList(list->items, graph, list->tuple ? '(' : '[', list->tuple ? ')' : ']');
    if (const auto* map = argument.as<ir::Mapping>()) {
        std::string out = "{";
        for (const auto& [key, item] : map->items)
            out += (out.size() > 1 ? ", '" : "'") + key + "': " + pythonRepr(item, graph);
        return out + "}";
    }
    return dumpJson(argumentToJson(argument, graph));
}

/// A with_args constructor's arguments; a nested constructor is a Mapping {"observer": name, "args": {...}}.
Json constructorArgument(const ir::Argument& argument, const ir::Graph& graph)
{
    const auto* map = argument.as<ir::Mapping>();
    if (!map)
        return argumentToJson(argument, graph);
    Json out = Json::object();
    for (const auto& [key, item] : map->items)
        out[key] = constructorArgument(item, graph);
    return out;
}

Json shapeToJson(const std::vector<ir::Dim>& shape)
{
    Json out = Json::array();
    for (const ir::Dim& dim : shape)
        out.push_back(dim.symbol.empty() ? Json(dim.size) : Json(dim.symbol));
    return out;
}

Json listToJson(const std::vector<ir::Argument>& items, const ir::Graph& graph)
{
    Json out = Json::array();
    for (const ir::Argument& item : items)
        out.push_back(argumentToJson(item, graph));
    return out;
}

} // namespace

Json argumentToJson(const ir::Argument& argument, const ir::Graph& graph)
{
    if (argument.isNone())
        return nullptr;
    if (const auto* flag = argument.as<bool>())
        return *flag;
    if (const auto* integer = argument.as<std::int64_t>())
        return *integer;
    if (const auto* number = argument.as<double>())
        return jsonNumber(*number);
    if (const auto* text = argument.as<std::string>())
        return *text;
    if (const auto* dtype = argument.as<ir::DType>())
        return {{"dtype", ir::name(*dtype)}};
    if (const auto* list = argument.as<ir::Sequence>())
        return listToJson(list->items, graph);
    if (const auto* slice = argument.as<ir::SliceArgument>())
        return {{"slice", listToJson(slice->parts, graph)}};
    if (argument.nodeId() != ir::kNoNode)
        return {{"node", graph.nameOf(argument.nodeId())}};
    return {{"repr", pythonRepr(argument, graph)}};
}

Json specToJson(const ir::Spec& spec, const ir::Graph& graph)
{
    return specJson(spec, {[&graph](ir::NodeId id) { return Json(graph.nameOf(id)); },
                           [&graph](const ir::Argument& argument) { return constructorArgument(argument, graph); }});
}

Json annotationToJson(const ir::Annotation& annotation, const ir::Graph& graph)
{
    Json inputs = Json::array();
    for (const auto& [node, spec] : annotation.inputs)
        inputs.push_back({{"from", graph.nameOf(node)}, {"spec", specToJson(spec, graph)}});
    Json out = {{"inputs", std::move(inputs)},
                {"output", specToJson(annotation.output, graph)},
                {"annotated", annotation.annotated},
                {"allow_implicit_sharing", annotation.allowImplicitSharing}};
    if (!annotation.extra.empty()) {
        Json extra = Json::object();
        for (const auto& [key, value] : annotation.extra)
            extra[key] = argumentToJson(value, graph);
        out["extra"] = std::move(extra);
    }
    return out;
}

Json nodeToJson(const ir::Node& node)
{
    const ir::Graph& graph = node.graph();
    Json kwargs = Json::object();
    for (const auto& [key, value] : node.kwargs())
        kwargs[key] = argumentToJson(value, graph);
    const ir::TensorMeta* val = node.val();
    Json out = {{"name", node.name()},
                {"op", ir::name(node.op())},
                {"target", node.target()},
                {"args", listToJson(node.args(), graph)},
                {"kwargs", std::move(kwargs)},
                {"shape", val ? shapeToJson(val->shape) : Json(nullptr)},
                {"dtype", val ? Json(ir::name(val->dtype)) : Json(nullptr)}};
    if (node.annotation())
        out["annotation"] = annotationToJson(*node.annotation(), graph);
    return out;
}

Json graphToJson(const ir::GraphModule& module)
{
    Json nodes = Json::array();
    Json inner = Json::object();
    for (const ir::Node* n = module.graph().first(); n; n = n->next()) {
        if (n->name() == "_guards_fn")
            continue;
        nodes.push_back(nodeToJson(*n));
        if (n->op() != ir::Op::GetAttr || inner.contains(n->target()))
            continue;
        if (const auto sub = module.subgraph(n->target()))
            inner[n->target()] = graphToJson(*sub);
    }
    Json out = {{"nodes", std::move(nodes)}};
    if (!inner.empty())
        out["subgraphs"] = std::move(inner);
    return out;
}

} // namespace gb::io
