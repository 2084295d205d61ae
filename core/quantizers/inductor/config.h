// The specs that a config of X86InductorQuantizer and ArmInductorQuantizer stands for.
//
// Source: torchao/quantization/pt2e/quantizer/x86_inductor_quantizer.py get_default_x86_inductor_quantization_config,
// arm_inductor_quantizer.py get_default_arm_inductor_quantization_config.
//
// Thread: pure functions.
#pragma once

#include "quantizers/quantization_config.h"
#include "quantizers/recipe.h"

namespace gb::quantizers::inductor {

/// is_qat is_dynamic reduce_range
QuantizationConfig x86Config(const ConfigArguments& arguments);
/// is_qat is_dynamic
QuantizationConfig armConfig(const ConfigArguments& arguments);

} // namespace gb::quantizers::inductor
