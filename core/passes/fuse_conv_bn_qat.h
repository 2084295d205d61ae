// prepare_qat: a convolution with the batch norm behind it becomes the graph that trains the folded weight.
//
// Source: torchao/quantization/pt2e/qat_utils.py (_fuse_conv_bn_qat, _fuse_conv_bn_qat_helper,
// _update_conv_input_qspec_map_after_replacement, _update_special_qspecs_after_replacement).
//
// As in torchao the new batch norm has eps 1e-5, momentum 0.1 and training mode, whatever the one before it had; and
// every convolution with a batch norm is rewritten, labelled or not.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/pass_context.h"

namespace gb::passes {

/// Runs on an annotated graph. Opens a `pass` scope where the graph has a batch norm; says a `rewrite` event for every
/// replacement ("fuse_conv_bn_qat"), for what it takes over ("take_over") and for each label elsewhere that named a
/// node which went ("rename_in_label"). Errors: IndexError where the label of a convolution names fewer than two
/// inputs; those of replacePattern and qatPairs.
base::Status fuseConvBnQat(ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
