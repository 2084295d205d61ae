// What a QAT rewrite replaced by what, and the arguments that it carries over by hand.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_get_conv_bn_pattern_nodes, _copy_over_literal_conv_args,
// _copy_over_q_dq_args).
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/subgraph_rewriter.h"

namespace gb::passes {

enum class QatRole : std::uint8_t {
    Conv,
    BatchNorm,
    WeightQuantize,
    WeightDequantize,
    Input,
    Weight,
    BiasQuantize,
    BiasDequantize,
    Bias,
};

struct QatPair {
    QatRole role;
    ir::Node* before; ///< may be erased
    ir::Node* now;    ///< may be the same node
};

/// The pairs of one replacement, in torchao's order. `now` is read off the convolution's arguments as they are at this
/// moment. Errors: AssertionError where an argument of a convolution is no node.
base::Result<std::vector<QatPair>> qatPairs(const ir::Graph& graph, const RewriteRule& rule, const Rewritten& done);

/// The pair of a role, or null.
const QatPair* find(const std::vector<QatPair>& pairs, QatRole role);

/// Stride, padding and what follows, as the convolution had them; a bias that is absent becomes None.
void copyLiteralConvArgs(const ir::Node& before, ir::Node* now);
/// Scale, zero point, range and dtype of q or dq; per channel without the first two, which are nodes.
void copyQuantizeArgs(const ir::Node& before, ir::Node* now);

} // namespace gb::passes
