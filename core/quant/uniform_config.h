// What UniformQuantizationObserverBase holds: dtype, qscheme, range and eps, with its checks.
//
// Source: torchao/quantization/pt2e/observer.py (UniformQuantizationObserverBase.__init__), utils.py
// (validate_qmin_qmax, calculate_qmin_qmax).
//
// Thread: values.
#pragma once

#include "quant/keywords.h"
#include "quant/observer.h"

namespace gb::quant {

struct UniformConfig {
    QuantDType dtype;
    ir::QScheme qscheme = ir::QScheme::PerTensorAffine;
    bool reduceRange = false;
    bool customizedRange = false; ///< has_customized_qrange: both quant_min and quant_max were given
    std::int64_t quantMin = 0;
    std::int64_t quantMax = 255;
    float eps = 1.1920928955078125e-07F; ///< the eps buffer; torch.finfo(torch.float32).eps by default
    bool isDynamic = false;
};

/// The keywords dtype, qscheme, reduce_range, quant_min, quant_max, eps and is_dynamic. `own` are the further keywords
/// of the class; every other is a TypeError of ObserverBase.__init__, to which torchao hands what is left.
/// Errors in torchao's order: TypeError, AssertionError.
///
/// qparams_c7: without both quant_min and quant_max the range is the dtype's (int8 -128..127, uint8 0..255, int16,
/// uint16 and int32 theirs, any other 0..15); reduce_range halves it.
base::Result<UniformConfig> makeUniformConfig(const Keywords& keywords, ir::QScheme defaultScheme,
                                              std::initializer_list<std::string_view> own);

/// What a dump shows of it.
ObserverSettings settingsOf(const UniformConfig& config);

/// "X's qscheme only support ...": the NotImplementedError that a class raises for a qscheme that is not its kind.
/// Also where the qscheme is None.
base::Status requirePerTensor(const Keywords& keywords);
base::Status requirePerChannel(const Keywords& keywords);
/// NotImplementedError "X doesn't support dynamic quantization" where is_dynamic is true.
base::Status refuseDynamic(const Keywords& keywords);
/// NotImplementedError for a symmetric scheme with reduce_range on quint8.
base::Status refuseReducedSymmetric(const UniformConfig& config);

} // namespace gb::quant
