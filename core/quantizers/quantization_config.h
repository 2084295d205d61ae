// The specs that a rule hands out: for input activations, output activations, weight and bias.
//
// Source: torchao/quantization/pt2e/quantizer/utils.py, class QuantizationConfig and get_*_qspec (the same text stands
// in torchao/testing/pt2e/_xnnpack_quantizer_utils.py).
//
// Thread: values.
#pragma once

#include "base/result.h"
#include "ir/spec.h"

namespace gb::quantizers {

struct QuantizationConfig {
    ir::Spec inputActivation; ///< null: leave the edge in float
    ir::Spec outputActivation;
    ir::Spec weight;
    ir::Spec bias;
    bool isQat = false;

    /// quantization_config.input_activation.is_dynamic
    [[nodiscard]] bool isDynamic() const;
};

/// QuantizationSpec.__post_init__: ValueError where quant_min > quant_max or ch_axis < 0.
base::Status checkSpec(const ir::QuantizationSpec& spec);

} // namespace gb::quantizers
