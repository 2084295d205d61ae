// A graph as the JSON of a stage dump (formats.md, sections 2 and 3).
//
// Same graph, same JSON, key for key: oracle/dump.py is the reference for what stands where.
// Include from sources: it shows nlohmann-json.
//
// Thread: pure functions.
#pragma once

#include "io/json.h"
#include "ir/graph.h"

namespace gb::io {

/// {"nodes": [...]}, with "subgraphs" where get_attr nodes refer to some. The _guards_fn node is left out.
Json graphToJson(const ir::GraphModule& module);
/// One node: name, op, target, args, kwargs, shape, dtype, and annotation where it has one.
Json nodeToJson(const ir::Node& node);
/// A value of args or kwargs (dump.py, plain).
Json argumentToJson(const ir::Argument& argument, const ir::Graph& graph);
/// null for None.
Json specToJson(const ir::Spec& spec, const ir::Graph& graph);
Json annotationToJson(const ir::Annotation& annotation, const ir::Graph& graph);

} // namespace gb::io
