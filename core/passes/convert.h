// convert_pt2e: from a calibrated graph to one with quantize and dequantize, in five steps.
//
// Source: torchao/quantization/pt2e/quantize_pt2e.py (convert_pt2e). Bodies of scan and while_loop are converted before
// the graph around them.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Edits the model in place. `scopes` is what prepare filled. Errors: those of the five steps.
base::Status convert(ir::GraphModule& model, bool foldQuantize, PassContext& context, const ScopeTable& scopes);

} // namespace gb::passes
