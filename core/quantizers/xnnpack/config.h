// get_symmetric_quantization_config: the specs that a config of XNNPACKQuantizer stands for.
//
// Source: torchao/testing/pt2e/_xnnpack_quantizer.py, get_symmetric_quantization_config.
//
// Thread: pure functions.
#pragma once

#include "quantizers/quantization_config.h"
#include "quantizers/recipe.h"

namespace gb::quantizers::xnnpack {

/// is_per_channel is_qat is_dynamic act_qmin act_qmax weight_qmin weight_qmax, with torchao's defaults.
/// Error: ValueError where a minimum is above its maximum.
base::Result<QuantizationConfig> symmetricConfig(const ConfigArguments& arguments);

} // namespace gb::quantizers::xnnpack
