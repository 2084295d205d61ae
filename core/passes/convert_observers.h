// convert, step 1: every observer becomes a quantize and a dequantize, or goes.
//
// Source: torchao/quantization/pt2e/convert.py (convert, _replace_observer_with_quantize_dequantize_node_decomposed).
// Per tensor, scale and zero point are numbers in the arguments; per channel they become buffers (_scale_N,
// _zero_point_N behind the last part of the observed node's module path); dynamic ones come from choose_qparams.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"
#include "quant/observer.h"

namespace gb::passes {

/// Says one `rewrite` event for every observer ("replace_observer" or "remove_observer"), then takes away dead code and
/// what nobody refers to. `scopes` is what prepare filled for this graph. Errors: those of calculate_qparams;
/// AssertionError for a dynamic dtype other than int8 and uint8; KeyError for a dynamic qscheme that is not per tensor;
/// RuntimeError for a per-tensor observer with several scales.
base::Status convertObservers(ir::GraphModule& model, const std::map<std::string, std::string>& scopes,
                              PassContext& context);

} // namespace gb::passes
