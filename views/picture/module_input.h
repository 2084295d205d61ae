// What the module tree is made from: modules, signatures and names of the cells of a union graph.
//
// Thread: pure functions.
#pragma once

#include "layout/module_tree.h"
#include "layout/tuck.h"

#include <unordered_map>

namespace gb::views {

/// Nodes by number, as they were when they were first seen.
using FirstNodes = std::unordered_map<ir::NodeId, const ir::Node*>;

/// `annotated` is the graph with the labels, or null. An observer or a q/dq belongs to the module of the op that it
/// serves: the producer when its output is what the label is on or several ops take it, else the op that takes it.
ModuleInput moduleInput(const UnionGraph& graph, const Tucked& tucked, const FirstNodes& nodes,
                        const ir::Graph* annotated);

} // namespace gb::views
