// Nodes and their outputs (deserialize_graph, deserialize_node, deserialize_outputs).
#include "base/message.h"
#include "io/pt2_graph_reader.h"

#include <algorithm>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

namespace {

constexpr const char* kGetitem = "<built-in function getitem>";
constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";

Error atNode(Error error, const std::string& node)
{
    error.place += ": node " + node;
    return error;
}

/// The name in a TensorArgument or in a symbolic argument; nothing for other outputs.
std::optional<std::string> singleName(const std::string& type, const JsonCursor& value)
{
    const char* key = type == "as_tensor"                                                       ? "name"
                      : type == "as_sym_int" || type == "as_sym_float" || type == "as_sym_bool" ? "as_name"
                                                                                                : nullptr;
    if (!key)
        return std::nullopt;
    auto name = value.text(key);
    return name ? std::optional(*name) : std::nullopt;
}

bool isSymbolicCall(const std::string& serialized)
{
    // _SYM_OPS, and item, which "can produce either SymInt or SymBool"
    return serialized.starts_with("_operator.") || serialized.starts_with("math.")
           || serialized.starts_with("torch.sym_") || serialized == "torch.ops.aten.item.default";
}

} // namespace

std::optional<std::string> operatorText(const std::string& serialized)
{
    const auto rest = [&](std::string_view prefix) -> std::optional<std::string> {
        return serialized.starts_with(prefix) && serialized.size() > prefix.size()
                   ? std::optional(serialized.substr(prefix.size()))
                   : std::nullopt;
    };
    if (const auto name = rest(kHigherOrder))
        return name;
    if (serialized.starts_with("torch.ops.")) {
        const auto name = rest("torch.ops.");
        return name && name->find('.') != std::string::npos ? name : std::nullopt;
    }
    for (const char* module : {"_operator.", "math."})
        if (const auto name = rest(module))
            return "<built-in function " + *name + ">";
    return rest("torch.") ? std::optional(serialized) : std::nullopt;
}

std::string operatorName(const std::string& target)
{
    if (target.starts_with("torch.")) // a Python function: its __name__ is the last part
        return ir::candidateFromTarget("call_module", target.substr(target.rfind('.') + 1));
    return ir::candidateFromTarget("call_function", target);
}

GraphReader::GraphReader(const JsonCursor& graph, const Signature& signature)
    : m_json(graph)
    , m_signature(signature)
{
}

Result<RawGraph> GraphReader::read()
{
    GB_TRY(readValueTables());
    GB_TRY(readInputs());
    GB_ASSIGN(const JsonCursor list, m_json.get("nodes"));
    GB_ASSIGN(const std::vector<JsonCursor> nodes, list.items());
    for (const JsonCursor& node : nodes)
        GB_TRY(readNode(node));
    GB_TRY(readOutputs());
    return std::move(m_graph);
}

Status GraphReader::readValueTables()
{
    GB_ASSIGN(const JsonCursor tensors, m_json.get("tensor_values"));
    GB_ASSIGN(const auto tensorRows, tensors.members());
    for (const auto& [name, value] : tensorRows)
        m_tensors.emplace(name, value);
    for (const char* key : {"sym_int_values", "sym_float_values", "sym_bool_values"})
        if (const auto table = m_json.find(key)) {
            GB_ASSIGN(const auto rows, table->members());
            for (const auto& [name, value] : rows)
                m_scalars.emplace(name, value);
        }
    if (const auto table = m_json.find("custom_obj_values")) {
        GB_ASSIGN(const auto rows, table->members());
        for (const auto& [name, value] : rows)
            m_objects.emplace(name, value.text("class_fqn") ? *value.text("class_fqn") : std::string());
    }
    return {};
}

Result<ir::ValueMeta> GraphReader::valueOf(const std::string& name, const JsonCursor& at) const
{
    ir::ValueMeta out;
    if (const auto tensor = m_tensors.find(name); tensor != m_tensors.end()) {
        GB_ASSIGN(out.tensor, readTensorMeta(tensor->second));
        out.kind = ir::ValueMeta::Kind::Tensor;
    } else if (const auto scalar = m_scalars.find(name); scalar != m_scalars.end()) {
        GB_ASSIGN(out.scalar, readSymbolic(scalar->second));
        out.kind = ir::ValueMeta::Kind::Scalar;
    } else if (const auto object = m_objects.find(name); object != m_objects.end()) {
        out.scalar = object->second;
        out.kind = ir::ValueMeta::Kind::Scalar;
    } else {
        return at.error(say("value \"{0}\" has no shape and dtype, an entry in tensor_values expected", name),
                        ErrorCode::NotFound);
    }
    return out;
}

Result<ir::NodeId> GraphReader::nodeNamed(const std::string& name, const JsonCursor& at) const
{
    const auto found = m_nodeByName.find(name);
    if (found == m_nodeByName.end())
        return at.error(say("refers to \"{0}\", which is no node before it; a node's name expected", name),
                        ErrorCode::NotFound);
    return found->second;
}

ir::NodeId GraphReader::createNode(ir::Op op, std::string target, const std::string& nameCandidate)
{
    RawNode node;
    node.op = op;
    node.target = std::move(target);
    node.name = m_names.create(nameCandidate);
    m_graph.nodes.push_back(std::move(node));
    return static_cast<ir::NodeId>(m_graph.nodes.size() - 1);
}

Status GraphReader::syncNode(ir::NodeId node, const std::string& name, const JsonCursor& at)
{
    if (!m_nodeByName.emplace(name, node).second)
        return at.error(say("two nodes of the name \"{0}\", one expected", name));
    m_graph.nodes[node].name = name; // whatever torch.fx had made of it ("input" -> "input_1")
    GB_ASSIGN(m_graph.nodes[node].meta.val, valueOf(name, at));
    return {};
}

Status GraphReader::readInputs()
{
    GB_ASSIGN(const JsonCursor list, m_json.get("inputs"));
    GB_ASSIGN(const std::vector<JsonCursor> inputs, list.items());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        GB_TRY(readInput(inputs[i], i));
    return {};
}

Status GraphReader::readInput(const JsonCursor& input, std::size_t position)
{
    GB_ASSIGN(const auto only, input.only());
    const auto& [type, value] = only;
    if (type == "as_tensor" || type == "as_custom_obj" || type == "as_sym_int") {
        GB_ASSIGN(const std::string name, value.text(type == "as_sym_int" ? "as_name" : "name"));
        const ir::NodeId node = createNode(ir::Op::Placeholder, name, ir::candidateFromTarget("placeholder", name));
        return syncNode(node, name, value);
    }
    if (type != "as_int" && type != "as_float" && type != "as_bool" && type != "as_none" && type != "as_string")
        return input.error(say("found an input \"{0}\", a tensor, number or constant expected", type),
                           ErrorCode::Unsupported);
    std::string name = position < m_signature.inputs.size() ? m_signature.inputs[position].name : std::string();
    if (name.empty())
        name = "arg" + std::to_string(position);
    const ir::NodeId node = createNode(ir::Op::Placeholder, name, ir::candidateFromTarget("placeholder", name));
    ir::ValueMeta& val = m_graph.nodes[node].meta.val;
    val.kind = ir::ValueMeta::Kind::Scalar;
    val.scalar = type == "as_none"     ? "None"
                 : type == "as_string" ? value.json().get<std::string>()
                                       : dumpJson(value.json());
    return {};
}

Status GraphReader::readNode(const JsonCursor& node)
{
    GB_ASSIGN(const std::string serialized, node.text("target"));
    std::string name;
    if (const auto given = node.find("name")) {
        GB_ASSIGN(name, given->text());
    }
    const std::string shown = name.empty() ? serialized : name;
    const auto target = operatorText(serialized);
    if (!target)
        return atNode(node.error(say("found target \"{0}\", an operator such as torch.ops.aten.relu.default expected",
                                     serialized.substr(0, 80)),
                                 ErrorCode::Unsupported),
                      shown);
    NodeTexts texts{*target, serialized.starts_with(kHigherOrder), std::nullopt};
    if (const auto single = node.find("is_hop_single_tensor_return")) {
        GB_ASSIGN(texts.singleTensorReturn, single->boolean());
    }
    GB_ASSIGN(const JsonCursor inputList, node.get("inputs"));
    GB_ASSIGN(const JsonCursor outputList, node.get("outputs"));
    GB_ASSIGN(const JsonCursor metadata, node.get("metadata"));
    const auto meta = readMetadata(metadata);
    if (!meta)
        return atNode(meta.error(), shown);
    const bool plain = texts.higherOrder || !serialized.starts_with("torch.ops.");
    const Calling calling = isSymbolicCall(serialized) ? Calling::Symbolic : plain ? Calling::Plain : Calling::Schema;
    auto inputs = deserializeInputs(inputList, calling);
    if (!inputs)
        return atNode(inputs.error(), shown);
    if (texts.higherOrder) // the schema has no metadata for a graph argument: it gets the call's
        for (const ir::Argument& argument : inputs->args)
            if (const ir::NodeId id = argument.nodeId(); id != ir::kNoNode && m_graph.nodes[id].op == ir::Op::GetAttr)
                m_graph.nodes[id].meta = *meta;
    GB_ASSIGN(const std::vector<JsonCursor> outputs, outputList.items());
    if (name.empty() && outputs.size() == 1) // files of torch before 2.8: named after what it returns
        if (const auto only = outputs[0].only())
            name = singleName(only->first, only->second).value_or("");
    const ir::NodeId id = createNode(ir::Op::CallFunction, *target, name.empty() ? operatorName(*target) : name);
    m_graph.nodes[id].args = std::move(inputs->args);
    m_graph.nodes[id].kwargs = std::move(inputs->kwargs);
    m_graph.nodes[id].meta = *meta;
    if (const Status done = deserializeOutputs(outputList, texts, id, *meta); !done)
        return atNode(done.error(), shown);
    return {};
}

Status GraphReader::deserializeOutputs(const JsonCursor& outputs, const NodeTexts& texts, ir::NodeId node,
                                       const ir::NodeMeta& meta)
{
    GB_ASSIGN(const std::vector<JsonCursor> items, outputs.items());
    if (items.empty())
        return {};
    ir::ValueMeta several;
    several.kind = ir::ValueMeta::Kind::Several;
    if (items.size() == 1) {
        GB_ASSIGN(const auto only, items[0].only());
        const auto& [type, value] = only;
        const auto name = singleName(type, value);
        if (name && texts.higherOrder && !texts.singleTensorReturn.value_or(false)) {
            GB_TRY(generateGetitem(several, node, *name, 0, meta, value)); // a tuple of one
        } else if (name) {
            return syncNode(node, *name, value);
        } else if (type == "as_none") {
            m_graph.nodes[node].name = m_names.create(operatorName(texts.target) + "_unused");
            return {};
        } else if (type == "as_tensors") {
            GB_ASSIGN(const std::vector<JsonCursor> tensors, value.items());
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                GB_ASSIGN(const std::string tensorName, tensors[i].text("name"));
                GB_TRY(generateGetitem(several, node, tensorName, i, meta, tensors[i]));
            }
        } else {
            return items[0].error(say("found an output \"{0}\", tensors or numbers expected", type),
                                  ErrorCode::Unsupported);
        }
    } else {
        GB_TRY(generateGetitems(several, node, items, meta));
    }
    m_graph.nodes[node].meta.val = std::move(several);
    if (!m_nodeByName.emplace(m_graph.nodes[node].name, node).second)
        return outputs.error(say("two nodes of the name \"{0}\", one expected", m_graph.nodes[node].name));
    return {};
}

Status GraphReader::generateGetitem(ir::ValueMeta& into, ir::NodeId of, const std::string& name, std::size_t index,
                                    const ir::NodeMeta& meta, const JsonCursor& at)
{
    const ir::NodeId node = createNode(ir::Op::CallFunction, kGetitem, name);
    m_graph.nodes[node].args = {ir::Argument::node(of), ir::Argument(static_cast<std::int64_t>(index))};
    m_graph.nodes[node].meta = meta;
    GB_TRY(syncNode(node, name, at));
    into.parts.push_back(m_graph.nodes[node].meta.val);
    return {};
}

Status GraphReader::generateGetitems(ir::ValueMeta& into, ir::NodeId of, const std::vector<JsonCursor>& outputs,
                                     const ir::NodeMeta& meta)
{
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        // an Argument of the schema, or (inside a list) the bare TensorArgument
        if (const auto bare = outputs[i].text("name")) {
            GB_TRY(generateGetitem(into, of, *bare, i, meta, outputs[i]));
            continue;
        }
        GB_ASSIGN(const auto only, outputs[i].only());
        const auto& [type, value] = only;
        if (type == "as_name") {
            GB_ASSIGN(const std::string name, value.text());
            GB_TRY(generateGetitem(into, of, name, i, meta, value));
        } else if (const auto name = singleName(type, value)) {
            GB_TRY(generateGetitem(into, of, *name, i, meta, value));
        } else {
            GB_TRY(generateOther(into, of, type, value, i, meta));
        }
    }
    return {};
}

Status GraphReader::generateOther(ir::ValueMeta& into, ir::NodeId of, const std::string& type, const JsonCursor& value,
                                  std::size_t index, const ir::NodeMeta& meta)
{
    const bool none = type == "as_none";
    if (!none && !value.json().is_array())
        return value.error(say("found an output \"{0}\", tensors or numbers expected", type), ErrorCode::Unsupported);
    const ir::NodeId node =
        createNode(ir::Op::CallFunction, kGetitem, none ? std::string("as_none") : operatorName(kGetitem));
    m_graph.nodes[node].args = {ir::Argument::node(of), ir::Argument(static_cast<std::int64_t>(index))};
    m_graph.nodes[node].meta = meta;
    ir::ValueMeta val;
    if (!none) {
        val.kind = ir::ValueMeta::Kind::Several;
        GB_ASSIGN(const std::vector<JsonCursor> items, value.items());
        GB_TRY(generateGetitems(val, node, items, meta));
    }
    m_graph.nodes[node].meta.val = val;
    into.parts.push_back(std::move(val));
    return {};
}

Status GraphReader::readOutputs()
{
    GB_ASSIGN(const JsonCursor list, m_json.get("outputs"));
    GB_ASSIGN(const std::vector<JsonCursor> items, list.items());
    std::vector<ir::Argument> outputs;
    for (const JsonCursor& item : items) {
        GB_ASSIGN(ir::Argument output, deserializeInput(item));
        outputs.push_back(std::move(output));
    }
    bool single = false;
    if (const auto given = m_json.find("is_single_tensor_return")) {
        GB_ASSIGN(single, given->boolean());
    }
    if (single && (outputs.size() != 1 || outputs[0].nodeId() == ir::kNoNode))
        return list.error(say("{0} outputs, one tensor expected", outputs.size()));
    const auto valOf = [&](const ir::Argument& output) {
        const ir::NodeId id = output.nodeId();
        return id == ir::kNoNode ? ir::ValueMeta() : m_graph.nodes[id].meta.val;
    };
    ir::ValueMeta val;
    if (single) {
        val = valOf(outputs[0]);
    } else {
        val.kind = ir::ValueMeta::Kind::Several;
        for (const ir::Argument& output : outputs)
            val.parts.push_back(valOf(output));
    }
    const ir::NodeId node = createNode(ir::Op::Output, "output", "output");
    m_graph.nodes[node].args = {single ? outputs[0] : ir::Argument::tuple(std::move(outputs))};
    m_graph.nodes[node].meta.val = std::move(val);
    return {};
}

Result<RawGraph> readGraph(const JsonCursor& graph, const Signature& signature)
{
    return GraphReader(graph, signature).read();
}

void mergeGetitems(RawGraph& graph)
{
    std::vector<std::string> identity(graph.nodes.size());
    std::unordered_map<std::string, ir::NodeId> first;
    std::vector<ir::NodeId> replaced(graph.nodes.size());
    const auto renamed = [&](ir::NodeId id) { return ir::Argument::node(replaced[id]); };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        RawNode& node = graph.nodes[i];
        replaced[i] = static_cast<ir::NodeId>(i);
        for (ir::Argument& argument : node.args)
            argument = ir::mapNodes(argument, renamed);
        for (auto& [key, argument] : node.kwargs)
            argument = ir::mapNodes(argument, renamed);
        identity[i] = node.name;
        const bool getitem = node.op == ir::Op::CallFunction && node.target == kGetitem && node.args.size() == 2;
        const auto* index = getitem ? node.args[1].as<std::int64_t>() : nullptr;
        const ir::NodeId source = getitem ? node.args[0].nodeId() : ir::kNoNode;
        if (!index || source == ir::kNoNode)
            continue;
        identity[i] = identity[source] + "." + std::to_string(*index);
        const auto [found, isNew] = first.emplace(identity[i], static_cast<ir::NodeId>(i));
        if (!isNew) {
            replaced[i] = found->second;
            node.erased = true;
        }
    }
    for (auto& [target, inner] : graph.subgraphs)
        mergeGetitems(*inner);
}

} // namespace gb::io
