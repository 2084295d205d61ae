// Folds a batch norm into the convolution or linear before it: the first two steps of prepare_pt2e.
//
// Source: torchao/quantization/pt2e/utils.py (_fuse_conv_bn_, fold_bn_weights_into_conv_node, _fuse_linear_bn_,
// fold_bn_weights_into_linear_node). The second use of a weight that was folded already only loses its batch norm
// ("fake fuse"), as there.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// _is_bn_node
bool isBatchNorm(const ir::Node& node);
/// _is_conv_node, _is_conv_transpose_node
bool isConv(const ir::Node& node);
bool isConvTranspose(const ir::Node& node);
bool hasBatchNorm(const ir::Graph& graph);

/// Which nodes a fold is about.
struct BnFold {
    ir::Node* op = nullptr; ///< the convolution or linear
    ir::Node* bn = nullptr;
    ir::Argument weight;   ///< the get_attr node of the weight, also where the op takes it through q/dq
    ir::Argument bias;     ///< the same of the bias; None where the op has none
    bool fakeFuse = false; ///< leaves the weights as they are
};

/// fold_bn_weights_into_conv_node. Says one `rewrite` event. Errors: ValueError for weights that are no attributes,
/// and those of fuseConvBnWeights.
base::Status foldBnIntoConv(ir::GraphModule& model, const BnFold& fold, PassContext& context);

/// _fuse_conv_bn_ and _fuse_linear_bn_. Each opens a `pass` scope where the graph has a batch norm.
base::Status fuseConvBn(ir::GraphModule& model, PassContext& context);
base::Status fuseLinearBn(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
