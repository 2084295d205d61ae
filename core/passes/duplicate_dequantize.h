// convert, step 3: every labelled user of a dequantize gets one of its own.
//
// Source: torchao/quantization/pt2e/quantizer/duplicate_dq_pass.py. The dequantize of a dynamic quantization
// (choose_qparams, getitem, quantize, dequantize) stays shared.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Opens a `pass` scope and says a `rewrite` event ("duplicate") for every copy. Errors: Exception where a sub-graph of
/// a sub-graph was lost on the way (torchao's convert deletes it).
base::Status duplicateDequantize(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
