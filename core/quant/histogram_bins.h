// Counting values into bins of equal width, and moving counts into the bins of a wider range.
//
// Source: torch.histc (aten/src/ATen/native/Histogram.cpp, cpu/HistogramKernel.cpp), torch.linspace, torch.bucketize
// and torch.bincount as HistogramObserver calls them (torchao/quantization/pt2e/observer.py).
//
// Thread: pure functions.
#pragma once

#include "base/pool.h"
#include "base/result.h"
#include "ir/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gb::quant {

/// torch.histc(x, bins, min, max) as float32. x is row-major float32, float64, float16 or bfloat16 with an element.
///
/// histogram_s2: where min equals max the range is x's own; where that is one value too, it is widened by 1 on each
///               side, or to the neighbouring floats where 1 is too little for them.
/// histogram_s3: the bin is trunc((x - min) * bins / (max - min)), each step rounded to x's type; the last bin is
/// closed;
///               where the product overflows it is bin 0. (The other order gives the same for powers of two only.)
/// histogram_s4: a bin stops growing where x's type cannot count further (2^24, for float16 2048, for bfloat16 256).
///               torch counts a share of x in each of its threads; here it is the count of one.
/// pool as Observer::forward. Errors: RuntimeError for a range that is not finite and for bins below 1,
/// NotImplementedError for integers.
base::Result<std::vector<float>> histc(const ir::Tensor& x, std::int64_t bins, double min, double max,
                                       base::Pool* pool = nullptr);

/// torch.linspace(start, end, steps) in float32: from the start up to the middle and from the end down to it, with one
/// rounding each (the kernel is compiled to fused multiply-add).
std::vector<float> linspace(float start, float end, std::int64_t steps);

/// HistogramObserver._upscale_histogram: the counts of bins over [min, max] in as many bins over [newMin, newMax].
///
/// histogram_s6: each bin is cut into 16 parts, each part goes to the bin that holds its middle; parts are added in
///               float32, in order.
std::vector<float> upscaled(std::span<const float> counts, float min, float max, float newMin, float newMax);

} // namespace gb::quant
