// Puts the observers into the graph: the last part of prepare.
//
// Source: torchao/quantization/pt2e/prepare.py (_maybe_insert_input_and_output_observers_for_node and what it calls),
// torch/ao/quantization/fx/prepare.py (_insert_obs_or_fq).
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/create_observers.h"

namespace gb::passes {

/// Visits the nodes that the graph has now, in order. Says `insert`, `reuse` and `drop` events. Errors: AssertionError
/// where an annotated node takes a tensor by keyword, AttributeError where an output shares with an edge that is not
/// quantized.
base::Status insertObservers(ir::GraphModule& model, const ObserverMap& observers, trace::Recorder& recorder);

/// graph_utils.collect_producer_nodes: the node and all that it is computed from, or nothing where a model input is
/// among them.
std::optional<std::vector<const ir::Node*>> producersOf(const ir::Graph& graph, const ir::Node* node);

} // namespace gb::passes
