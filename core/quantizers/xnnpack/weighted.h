// What linear, conv and their fusions have in common: an op with an input, a weight and perhaps a bias.
//
// Thread: pure functions.
#pragma once

#include "quantizers/xnnpack/annotators.h"

namespace gb::quantizers::xnnpack {

struct WeightedOp {
    ir::Node* op = nullptr;
    ir::Node* input = nullptr;
    ir::Node* weight = nullptr;
    ir::Node* bias = nullptr; ///< null where the op has none

    /// op, weight and, where there is one, bias: what torchao calls the partition.
    [[nodiscard]] Chain partition() const;
    /// input_qspec_map: input, weight, bias in this order (a node that is two of them keeps its first place).
    [[nodiscard]] ir::Annotation inputLabels(const QuantizationConfig& config) const;
};

/// Arguments 0, 1 and 2 of the op. Errors: IndexError, AssertionError where input or weight is no node.
base::Result<WeightedOp> weightedOp(ir::Node* op);

/// The targets of _is_conv_node and _is_conv_transpose_node (torchao/quantization/pt2e/utils.py).
const std::vector<std::string>& convTargets();
const std::vector<std::string>& convTransposeTargets();
const std::vector<std::string>& reluTargets();

/// relu behind a weighted op: what linear_relu, conv_relu and conv_transpose_relu do.
base::Status annotateFusedRelu(const AnnotatorCall& call, RuleInfo info, const std::vector<std::string>& producers);

} // namespace gb::quantizers::xnnpack
