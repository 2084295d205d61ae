// Builds one RawGraph from the schema's Graph, as GraphModuleDeserializer.deserialize_graph does.
//
// Internal to io. Source: torch/_export/serde/serialize.py; functions have the names of its methods.
//
// Thread: one use each.
#pragma once

#include "io/pt2_raw.h"

#include <optional>

namespace gb::io {

class GraphReader {
public:
    GraphReader(const JsonCursor& graph, const Signature& signature);
    base::Result<RawGraph> read();

private:
    // values that nodes stand for
    base::Status readValueTables();
    base::Result<ir::ValueMeta> valueOf(const std::string& name, const JsonCursor& at) const;
    base::Result<ir::NodeId> nodeNamed(const std::string& name, const JsonCursor& at) const;

    // nodes
    ir::NodeId createNode(ir::Op op, std::string target, const std::string& nameCandidate);
    base::Status syncNode(ir::NodeId node, const std::string& name, const JsonCursor& at);
    base::Status readInputs();
    base::Status readInput(const JsonCursor& input, std::size_t position);
    base::Status readNode(const JsonCursor& node);
    base::Status readOutputs();

    // arguments (pt2_arguments.cpp)
    struct Inputs {
        std::vector<ir::Argument> args;
        std::vector<std::pair<std::string, ir::Argument>> kwargs;
    };
    enum class Calling : std::uint8_t { Symbolic, Schema, Plain };
    base::Result<Inputs> deserializeInputs(const JsonCursor& inputs, Calling calling);
    base::Result<ir::Argument> deserializeInput(const JsonCursor& argument);
    base::Result<ir::Argument> deserializeValue(const std::string& type, const JsonCursor& value);
    base::Result<ir::Argument> deserializeEnum(const std::string& type, const JsonCursor& value);
    base::Result<ir::Argument> deserializeList(const std::string& type, const JsonCursor& value);
    base::Result<ir::Argument> deserializeListItem(const std::string& type, const JsonCursor& item);
    base::Result<ir::Argument> deserializeSymbolic(const JsonCursor& value);
    base::Result<ir::Argument> deserializeGraph(const JsonCursor& value);
    base::Result<ir::Argument> reference(const JsonCursor& namedThing);

    // outputs
    struct NodeTexts {
        std::string target;
        bool higherOrder = false;
        std::optional<bool> singleTensorReturn;
    };
    base::Status deserializeOutputs(const JsonCursor& outputs, const NodeTexts& texts, ir::NodeId node,
                                    const ir::NodeMeta& meta);
    base::Status generateGetitem(ir::ValueMeta& into, ir::NodeId of, const std::string& name, std::size_t index,
                                 const ir::NodeMeta& meta, const JsonCursor& at);
    base::Status generateGetitems(ir::ValueMeta& into, ir::NodeId of, const std::vector<JsonCursor>& outputs,
                                  const ir::NodeMeta& meta);
    base::Status generateOther(ir::ValueMeta& into, ir::NodeId of, const std::string& type, const JsonCursor& value,
                               std::size_t index, const ir::NodeMeta& meta);

    JsonCursor m_json;
    const Signature& m_signature;
    RawGraph m_graph;
    ir::Namespace m_names;
    std::unordered_map<std::string, ir::NodeId> m_nodeByName;
    std::unordered_map<std::string, JsonCursor> m_tensors;
    std::unordered_map<std::string, JsonCursor> m_scalars;  ///< sym ints, floats and bools
    std::unordered_map<std::string, std::string> m_objects; ///< custom objects: name -> class
};

/// torch's text of a serialized operator ("torch.ops.aten.relu.default" -> "aten.relu.default", "_operator.add" ->
/// "<built-in function add>"); nothing for what is no operator.
std::optional<std::string> operatorText(const std::string& serialized);
/// The name that torch.fx makes from a function without one (Graph._target_to_str).
std::string operatorName(const std::string& target);

} // namespace gb::io
