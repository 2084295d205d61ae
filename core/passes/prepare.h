// prepare_pt2e and prepare_qat_pt2e: from an exported graph to one with observers.
//
// Source: torchao/quantization/pt2e/quantize_pt2e.py, prepare.py (prepare). Bodies of scan and while_loop are prepared
// after the graph around them, with the same quantizer; other sub-graphs are left alone.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"
#include "quantizers/quantizer.h"

#include <functional>

namespace gb::passes {

struct PrepareOptions {
    bool isQat = false;
    /// The stage ("folded", "annotated") after which prepare ends; empty: goes through.
    std::string stopAfter;
};

/// Edits the model in place and fills `scopes` (one entry a graph). Says the pass events, and the stage events `folded`
/// and `annotated` of every graph that it enters. Errors: what the quantizer, the folds and the observers raise, and
/// Cancelled.
base::Status prepare(ir::GraphModule& model, quantizers::Quantizer& quantizer, const PrepareOptions& options,
                     PassContext& context, ScopeTable& scopes);

/// prepare.py's prepare() alone, on a graph that has its annotations: groups, observers, insertion.
base::Status prepareAnnotated(ir::GraphModule& model, bool isQat, PassContext& context);

/// _get_node_name_to_scope
std::map<std::string, std::string> nodeScopes(const ir::Graph& graph);

/// The sub-graphs that prepare and convert enter, in torchao's order: the combine functions of scan, then the bodies of
/// while_loop. AssertionError where such an op does not take its function from a get_attr node.
base::Result<std::vector<std::shared_ptr<ir::GraphModule>>> enteredSubgraphs(const ir::GraphModule& model);

} // namespace gb::passes
