// convert, step 2: the batch norm of a QAT convolution goes back into its weights.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_fold_conv_bn_qat).
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope. A graph without batch norm is left as it is. The patterns to fold are those that the QAT
/// rewrite of prepare makes; a graph that prepare_pt2e made has none of them, so only dead code goes.
base::Status foldConvBnQat(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
