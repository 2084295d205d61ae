// What the upsample ops have in common: sizes, scales and where an output element looks.
//
// Source: aten/src/ATen/native/UpSample.h, UpSample.cpp (compute_output_size).
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

#include <vector>

namespace gb::ops {

/// One spatial axis: sizes, and the scale that was given (0: none).
struct Axis {
    std::int64_t in = 1;
    std::int64_t out = 1;
    double given = 0;
};

struct Plan {
    ir::Tensor x; ///< contiguous, float32 or float64
    ir::DType dtype = ir::DType::Float32;
    Axis depth; ///< 1 to 1 with fewer than three spatial dimensions
    Axis height;
    Axis width;
    std::int64_t planes = 1;
    ir::Shape shape;
};

/// Errors: RuntimeError for another number of dimensions or a size of 0.
base::Result<Plan> makePlan(const ir::Tensor& x, const std::vector<Axis>& axes);
/// Sizes from output_size (argument 1), with scales each in an argument of its own.
base::Result<std::vector<Axis>> axesOf(const Call& call, const ir::Tensor& x, std::size_t spatial,
                                       std::size_t scalesAt);
/// The .vec overloads: output_size or a list of scale factors.
base::Result<std::vector<Axis>> axesOfVec(const Call& call, const ir::Tensor& x, std::size_t spatial,
                                          std::size_t scalesAt);
/// How far apart in the input two neighbours of the output look.
double stepOf(const Axis& axis, bool alignCorners);

} // namespace gb::ops
