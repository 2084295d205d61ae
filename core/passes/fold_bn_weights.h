// The arithmetic of folding a batch norm into the weights before it.
//
// Source: torch/nn/utils/fusion.py (fuse_conv_bn_weights, fuse_linear_bn_weights). The same operations in the same
// order on the same dtypes, through the interpreter's kernels, so that the weights are torch's to the last bit.
//
// Thread: pure functions.
#pragma once

#include "passes/pass_context.h"

#include <optional>

namespace gb::passes {

struct BatchNormConstants {
    std::optional<ir::Tensor> weight;      ///< [C]; absent is torch's None
    std::optional<ir::Tensor> bias;        ///< [C]
    std::optional<ir::Tensor> runningMean; ///< [C]
    std::optional<ir::Tensor> runningVar;  ///< [C]
    double eps = 1e-5;
};

struct FusedWeights {
    ir::Tensor weight; ///< shape and dtype of the weight given
    ir::Tensor bias;   ///< [C]
};

/// `transpose`: the output channels are on axis 1 (conv_transpose). Errors: TypeError without running statistics,
/// RuntimeError when shapes do not broadcast (a grouped conv_transpose).
base::Result<FusedWeights> fuseConvBnWeights(const PassContext& context, const ir::Tensor& weight,
                                             const std::optional<ir::Tensor>& bias, const BatchNormConstants& bn,
                                             bool transpose);

/// Errors: TypeError without batch norm weight, bias or running statistics; RuntimeError as above.
base::Result<FusedWeights> fuseLinearBnWeights(const PassContext& context, const ir::Tensor& weight,
                                               const std::optional<ir::Tensor>& bias, const BatchNormConstants& bn);

} // namespace gb::passes
