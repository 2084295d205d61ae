// _convert_scalars_to_attrs: numbers that add and mul take become constants of the model, so that they can be labelled.
//
// Source: torchao/testing/pt2e/_xnnpack_quantizer_utils.py, _convert_scalars_to_attrs.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/quantizer.h"

namespace gb::quantizers::xnnpack {

/// Each positional argument of aten.add.Tensor and aten.mul.Tensor that is no node becomes a float32 buffer
/// _tensor_constant_N with a get_attr node before the op. Errors: TypeError for an argument that float() refuses,
/// KeyError / AttributeError where the op has no tensor metadata.
base::Status convertScalarsToAttributes(ir::GraphModule& model, trace::Recorder& recorder);

} // namespace gb::quantizers::xnnpack
