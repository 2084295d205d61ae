// convert, step 2: the batch norm of a QAT convolution goes back into its weights.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_fold_conv_bn_qat, _fold_conv_bn_qat_helper). Its
// _duplicate_dequantize_node and _remove_extra_dequantize look for an overload packet, which no node calls, and do
// nothing.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope. A graph without batch norm is left as it is. What fuseConvBnQat made, with q/dq at its weight,
/// becomes a convolution with folded weights and q/dq at them: a `rewrite` event for the graph ("fold_conv_bn_qat"),
/// and that of foldBnIntoConv. Batch counters of BatchNorm2d modules go. Errors: those of replacePattern, qatPairs and
/// foldBnIntoConv; RuntimeError where somebody uses a counter's new value.
base::Status foldConvBnQat(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
