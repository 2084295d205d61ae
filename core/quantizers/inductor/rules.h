// The rules of the inductor quantizers, one function each, by torchao's names.
//
// Source: x86_inductor_quantizer.py; each function follows the method of its name there, in what it writes and raises.
// A config that is None writes "annotated, nothing quantized" on the nodes of the pattern.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/inductor/rule_call.h"

namespace gb::quantizers::inductor {

/// _annotate_conv2d_fusion_pattern: with batch norm (QAT, or a config that is None), then conv with add and / or an
/// activation, then conv alone.
base::Status annotateConv2dFusionPattern(const RuleCall& call, const Backend& backend);
/// _annotate_linear_fusion_pattern
base::Status annotateLinearFusionPattern(const RuleCall& call, const Backend& backend);
base::Status annotateConv2d(const RuleCall& call);
base::Status annotateLinear(const RuleCall& call);
base::Status annotateMatmul(const RuleCall& call);
/// Two tensors of one shape.
base::Status annotateMulTensor(const RuleCall& call);
/// _annotate_propagation_quantizable_pattern_entry: pools, cat and flatten behind quantized patterns.
base::Status annotatePropagation(const RuleCall& call);
/// _annotate_output_for_int8_in_int8_out_pattern_entry: their outputs share with their inputs.
base::Status annotateInt8InInt8Out(RuleContext& context);

} // namespace gb::quantizers::inductor
