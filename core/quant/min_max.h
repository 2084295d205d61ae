// Smallest and largest value of a tensor, whole or a channel, as torch.aminmax gives them, and their running forms.
//
// Source: torchao/quantization/pt2e/observer.py (the forward functions of the min/max observers).
//
// Thread: pure functions.
#pragma once

#include "base/pool.h"
#include "base/result.h"
#include "ir/tensor.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace gb::quant {

struct MinMax {
    ir::Tensor min; ///< float32; 0-dimensional, or [channels]
    ir::Tensor max;
};

/// x.to(torch.float32), row-major. Error (Unsupported) for complex and 8-bit float elements.
base::Result<ir::Tensor> toFloat32(const ir::Tensor& x);

/// torch.aminmax(x) of a float32 tensor with at least one element: both are NaN where one element is.
/// pool as Observer::forward.
MinMax aminmax(const ir::Tensor& x, base::Pool* pool = nullptr);

/// x.permute(axis to the front).flatten(1) and aminmax over dim 1: one pair a channel. x as for aminmax.
/// Errors: IndexError for an axis that x does not have and for 0 or 1 dimensions; TypeError for no axis (None).
base::Result<MinMax> aminmaxPerChannel(const ir::Tensor& x, std::optional<std::int64_t> channelAxis,
                                       base::Pool* pool = nullptr);

/// minmax_m1: the smaller minimum and the larger maximum, NaN winning.
/// minmax_m2: one channel against several is widened, other counts are a RuntimeError.
base::Result<MinMax> widened(const MinMax& running, const MinMax& current);

/// minmax_m3: running + constant * (current - running), each step rounded to float32.
base::Result<MinMax> averaged(const MinMax& running, const MinMax& current, float constant);

} // namespace gb::quant
