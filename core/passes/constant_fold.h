// convert, step 5: a quantize that hangs on weights alone becomes a constant.
//
// Source: torchao/quantization/pt2e/constant_fold.py (constant_fold, replace_node_with_constant), quantize_pt2e.py
// (_quant_node_constraint).
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope and says a `fold` event for every constant: the buffer is `_frozen_paramN`, its get_attr node
/// takes the name of the quantize. Attributes that nobody reads any more go when their name has no dot, as in torchao.
/// Errors: those of computeConstants; RuntimeError where two get_attr nodes read an attribute and only one lost its
/// users.
base::Status constantFold(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
