// The sizes of a convolution, checked, with one, two and three spatial dimensions treated as three.
//
// Source: aten/src/ATen/native/Convolution.cpp (check_shape_forward, conv_output_size).
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

#include <array>

namespace gb::ops {

using Triple = std::array<std::int64_t, 3>; ///< depth, height, width; leading ones where there are fewer

struct ConvParameters {
    ir::Shape stride;
    ir::Shape padding;
    ir::Shape dilation;
    ir::Shape outputPadding; ///< transposed only
    std::int64_t groups = 1;
    bool transposed = false;
};

struct ConvGeometry {
    std::int64_t batch = 1;
    std::int64_t inChannels = 0;
    std::int64_t outChannels = 0;
    std::int64_t groups = 1;
    Triple input{1, 1, 1};
    Triple kernel{1, 1, 1};
    Triple output{1, 1, 1};
    Triple stride{1, 1, 1};
    Triple padding{0, 0, 0};
    Triple dilation{1, 1, 1};
    ir::Shape outShape; ///< of the result, with a batch dimension only where the input had one

    [[nodiscard]] std::int64_t inputSize() const { return input[0] * input[1] * input[2]; }
    [[nodiscard]] std::int64_t outputSize() const { return output[0] * output[1] * output[2]; }
    [[nodiscard]] std::int64_t kernelSize() const { return kernel[0] * kernel[1] * kernel[2]; }
    [[nodiscard]] std::int64_t inPerGroup() const { return inChannels / groups; }
    [[nodiscard]] std::int64_t outPerGroup() const { return outChannels / groups; }
};

/// Errors: RuntimeError where torch refuses the sizes; Shape where the result would be absurdly large.
base::Result<ConvGeometry> convGeometry(const ir::Tensor& input, const ir::Tensor& weight,
                                        const std::optional<ir::Tensor>& bias, const ConvParameters& parameters);

} // namespace gb::ops
