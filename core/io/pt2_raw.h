// The graph as torch's deserializer builds it, before module() turns parameters into attributes.
//
// Internal to io. A node is known by its position in RawGraph::nodes; NodeRef holds that position.
//
// Thread: values.
#pragma once

#include "io/json.h"
#include "ir/graph.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gb::io {

struct RawNode {
    ir::Op op = ir::Op::CallFunction;
    std::string target;
    std::vector<ir::Argument> args;
    std::vector<std::pair<std::string, ir::Argument>> kwargs;
    std::string name;
    ir::NodeMeta meta;
    bool erased = false;
};

struct RawGraph {
    std::vector<RawNode> nodes;
    std::map<std::string, std::shared_ptr<RawGraph>> subgraphs; ///< by get_attr target
};

/// One row of the signature: where a placeholder's or an output's value comes from or goes to.
struct SignatureRow {
    std::string kind;   ///< "parameter", "user_input", "buffer_mutation", ...: the schema's word
    std::string name;   ///< the graph's name of it; empty for a constant
    std::string target; ///< the attribute's or input's name; empty where there is none
    bool persistent = true;
};

struct Signature {
    std::vector<SignatureRow> inputs;
    std::vector<SignatureRow> outputs;
};

/// {"input_specs": ..., "output_specs": ...}
base::Result<Signature> readSignature(const JsonCursor& signature);
/// A Graph of the schema, sub-graphs included. `signature` names the placeholders of constants.
base::Result<RawGraph> readGraph(const JsonCursor& graph, const Signature& signature);
/// ExportedProgram.__init__: a second getitem of the same value and index is replaced by the first.
void mergeGetitems(RawGraph& graph);

/// What the deserializer makes of a node's metadata texts.
base::Result<ir::NodeMeta> readMetadata(const JsonCursor& metadata);
/// TensorMeta of the schema.
base::Result<ir::TensorMeta> readTensorMeta(const JsonCursor& meta);
/// A SymInt, SymFloat or SymBool of the schema as text.
base::Result<std::string> readSymbolic(const JsonCursor& value);
/// ScalarType. Error (Unsupported) names the number.
base::Result<ir::DType> readDType(const JsonCursor& number);

} // namespace gb::io
