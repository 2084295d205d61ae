// Which nodes torch.fx may take away when nobody uses them, and the checks that it makes on the way.
//
// Source: torch/fx/node.py (Node.is_impure), torch/_library/utils.py (is_impure), torch/fx/graph.py (lint,
// eliminate_dead_code).
//
// Thread: the one that runs the passes.
#pragma once

#include "base/result.h"
#include "ir/graph.h"

namespace gb::ir {

/// True for placeholders, outputs, and calls that write to an argument, draw random numbers or assert something.
bool isImpure(const Node& node);

/// True when the op writes to its first argument (schema.arguments[0].alias_info.is_write): "aten.add_.Tensor".
bool writesFirstArgument(std::string_view target);

/// Graph.lint: arguments stand before their users, names are unique, targets exist. RuntimeError with torch's sentence.
base::Status lint(const GraphModule& model);

/// Graph.eliminate_dead_code with its lint, on the graph and then on the sub-graphs that its get_attr nodes name.
base::Status eliminateDeadCode(GraphModule& model);

/// What eliminateDeadCode would take away after a rewrite that left these nodes without users, in a graph without other
/// dead code: the pure ones among them, then their inputs that nobody else uses, and so on. Goes over no other node.
void eraseUnused(Graph& graph, std::vector<NodeId> candidates);

} // namespace gb::ir
