// convert, step 2: the batch norm of a QAT convolution goes back into its weights.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_fold_conv_bn_qat).
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope. A graph without batch norm is left as it is. The patterns to fold are those that the QAT
/// rewrite of prepare makes; a graph without them loses its dead code and the batch counters of its BatchNorm2d
/// modules. Error (RuntimeError): somebody uses such a counter's new value.
base::Status foldConvBnQat(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
