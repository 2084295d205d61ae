// One multiply and one add for every channel of a tensor: the last step of every normalisation.
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

#include <vector>

namespace gb::ops {

/// x[n, c, ...] * scale[c] + shift[c], as one fused operation where the processor has it (torch does so); x contiguous
/// float32 with at least two dimensions.
base::Result<ir::Tensor> channelAffine(const Context& context, const ir::Tensor& x, const std::vector<float>& scale,
                                       const std::vector<float>& shift);

/// Mean and variance (biased) of `count` neighbouring floats, summed in double.
struct Moments {
    double mean = 0;
    double variance = 0;
};
Moments momentsOf(const float* values, std::int64_t count);

/// The elements of a float tensor of `count` channels, or `otherwise` where it is absent. RuntimeError for another
/// size.
base::Result<std::vector<float>> channelValues(const std::optional<ir::Tensor>& tensor, std::int64_t count,
                                               float otherwise, const char* what);

} // namespace gb::ops
