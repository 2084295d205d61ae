// The sizes of a pooling window over up to three spatial dimensions, checked.
//
// Source: aten/src/ATen/native/Pool.h (pooling_output_shape, pool2d_shape_check).
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

#include <array>

namespace gb::ops {

struct PoolWindow {
    std::array<std::int64_t, 3> input{1, 1, 1};
    std::array<std::int64_t, 3> output{1, 1, 1};
    std::array<std::int64_t, 3> kernel{1, 1, 1};
    std::array<std::int64_t, 3> stride{1, 1, 1};
    std::array<std::int64_t, 3> padding{0, 0, 0};
    std::array<std::int64_t, 3> dilation{1, 1, 1};
    std::int64_t planes = 1; ///< product of the dimensions before the spatial ones
    ir::Shape outShape;

    [[nodiscard]] std::int64_t inputSize() const { return input[0] * input[1] * input[2]; }
    [[nodiscard]] std::int64_t outputSize() const { return output[0] * output[1] * output[2]; }
};

/// Reads kernel_size, stride, padding, dilation (at argument positions; dilation none where the op has none) and
/// ceil_mode for the last `spatial` dimensions of x. RuntimeError where torch refuses the sizes.
base::Result<PoolWindow> readPoolWindow(const Call& call, const ir::Tensor& x, std::size_t spatial,
                                        std::optional<std::size_t> dilationAt, std::size_t ceilAt);

/// The planes of x for an adaptive pool: only input, planes and outShape; output as given (-1 or None: as the input).
base::Result<PoolWindow> readAdaptiveWindow(const Call& call, const ir::Tensor& x, std::size_t spatial);

} // namespace gb::ops
