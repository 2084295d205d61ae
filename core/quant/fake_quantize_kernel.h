// Rounding to the quantized grid and back, in float.
//
// Source: torch.fake_quantize_per_tensor_affine and torch.fake_quantize_per_channel_affine
// (aten/src/ATen/native/quantized/cpu/kernels/QuantizedOpKernels.cpp, FakeQuantPerChannelAffine.cpp).
//
// Thread: pure functions.
#pragma once

#include "quant/observer.h"

namespace gb::quant {

/// fakequant_f1: q = zero_point + nearbyint(x * (1 / scale)) clamped to the range; the result is (q - zero_point) *
/// scale. float32, except that float64 input is rounded in float64. NaN becomes quant_min.
/// x: float32, float64, float16 or bfloat16 of any shape; the result has its dtype and shape, row-major. qparams: one
/// element each. Errors: NotImplementedError for other dtypes, RuntimeError for quant_min above quant_max.
base::Result<ir::Tensor> fakeQuantizePerTensor(const ir::Tensor& x, const QParams& qparams, std::int64_t quantMin,
                                               std::int64_t quantMax);

/// fakequant_f2: the same for each channel of `axis`, but what is not a number or out of int64's range becomes
/// quant_min. With a float zero point q = round(zero_point + x * (1 / scale)) with one rounding of the sum.
/// Errors also: RuntimeError where the channels do not fit, a zero point is outside of the range, or the axis is
/// negative; IndexError for an axis that x does not have.
base::Result<ir::Tensor> fakeQuantizePerChannel(const ir::Tensor& x, const QParams& qparams, std::int64_t axis,
                                                std::int64_t quantMin, std::int64_t quantMax);

} // namespace gb::quant
