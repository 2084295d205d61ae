// The graphs that QAT looks for and puts in: convolution and batch norm, with and without fake quantization.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_get_conv_bn_pattern, _get_qat_conv_bn_pattern and its form without
// bias, _get_quantized_qat_conv_bn_pattern, _get_folded_quantized_qat_conv_bn_pattern), as torch.export traces them:
// names, order, arguments and the shapes of torchao's example inputs.
//
// Nodes have names: "conv", "bn".
//
// Thread: pure functions.
#pragma once

#include "ir/subgraph_matcher.h"

#include <array>

namespace gb::passes {

/// A convolution that QAT knows. There are no others: not conv3d, not the "padding" overloads.
struct QatConv {
    const char* target;
    const char* name;
    int rank; ///< spatial dimensions
    bool transposed;
};
inline constexpr std::array<QatConv, 4> kQatConvs = {{{"aten.conv1d.default", "conv1d", 1, false},
                                                      {"aten.conv2d.default", "conv2d", 2, false},
                                                      {"aten.conv_transpose1d.default", "conv_transpose1d", 1, true},
                                                      {"aten.conv_transpose2d.input", "conv_transpose2d", 2, true}}};

/// Inputs: x, weight, bias, batch norm's weight, bias, running_mean, running_var.
ir::Pattern convBnPattern(const QatConv& conv);
/// Inputs: the same. The convolution runs on weight * gamma / sqrt(running_var + eps), and the factor is divided out
/// of its output again, so that what is fake quantized is the folded weight.
ir::Pattern qatConvBn(const QatConv& conv, bool hasBias);

/// How the parts between convolution and batch norm were quantized.
struct QuantizedForm {
    bool perChannel = false;
    bool hasBias = false;
    bool biasIsQuantized = false;
    bool training = false; ///< of the batch norm; matching does not look at it
};
/// Inputs: x, weight, batch norm's weight, bias, running_mean, running_var; per channel the weight's scale and zero
/// point, and those of a quantized bias; the bias where there is one.
ir::Pattern quantizedQatConvBn(const QatConv& conv, const QuantizedForm& form);
/// The same inputs. q/dq of the weight, convolution, batch norm.
ir::Pattern foldedQuantizedQatConvBn(const QatConv& conv, const QuantizedForm& form);

} // namespace gb::passes
