// Scale and zero point from a range.
//
// Source: torchao/quantization/pt2e/observer.py (UniformQuantizationObserverBase._calculate_qparams), utils.py
// (check_min_max_valid). All arithmetic is float32 in torch's order.
//
// Thread: pure functions.
#pragma once

#include "quant/uniform_config.h"

namespace gb::quant {

/// min and max are float32: 0-dimensional for one range, [channels] for one a channel, [0] before the first batch.
///
/// qparams_c1: an empty or untouched range (inf, -inf) gives scale [1.0] and zero point [0], int64.
/// qparams_c2: a range with min above max (NaN included) is an AssertionError.
/// qparams_c3: the range is widened to hold 0 (not for float qparams).
/// qparams_c4: symmetric: scale = max(|min|, max) / ((quant_max - quant_min) / 2), at least eps; zero point int64: 0,
/// or
///             for unsigned dtypes their middle (that of a customized range for 8 bits).
/// qparams_c5: per_channel_affine_float_qparams: scale = (max - min) / (quant_max - quant_min), 1 where not above eps;
///             zero point = -min / scale, float32.
/// qparams_c6: affine: scale = (max - min) / (quant_max - quant_min), at least eps; zero point = quant_min -
///             round(min / scale), int32 with its overflow, clamped to the range.
base::Result<QParams> calculateQParams(const UniformConfig& config, const ir::Tensor& min, const ir::Tensor& max);

/// Scale [1.0] and zero point [0] (int64): what calculate_qparams gives before the first batch.
QParams defaultQParams();

} // namespace gb::quant
