// convert, step 4: quantize and dequantize nodes take over where they come from in the user's source.
//
// Source: torchao/quantization/pt2e/quantizer/port_metadata_pass.py (PortNodeMetaForQDQ). Ported are stack_trace and
// quantization_tag: a dequantize takes its consumer's, a quantize behind a labelled output its producer's, and what
// lies between a weight and its quantize the weight's.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope; its edits are changes of meta. Errors: Exception where a dynamic input has not exactly the
/// nodes that convert makes for it (torchao raises, and its pass manager wraps it).
base::Status portMetadata(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
