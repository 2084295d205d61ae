// What a histogram's bins lose when a range of them is rounded to levels.
//
// Source: HistogramObserver._compute_quantization_error and _get_norm (torchao/quantization/pt2e/observer.py), in
// float32 in torch's order.
//
// Thread: pure functions.
#pragma once

#include <cstdint>
#include <span>

namespace gb::quant {

/// What one range gives every bin.
struct NormTarget {
    float width;        ///< dst_bin_width
    float half;         ///< dst_bin_width / 2, rounded once
    float last;         ///< dst_nbins - 1
    float binWidth;     ///< src's bin_width as float32
    std::int64_t start; ///< next_start_bin
};

/// The norm of one bin, for any widths (0, infinite and NaN included).
float binNorm(float density, std::int64_t bin, const NormTarget& target);

/// binNorm of all bins, norm as long as density. target.width is normal, binWidth * bins finite, last < 65536: then the
/// floor division's quotient is below 2^22, where the double quotient of two floats has the floor of the exact one.
void plainNorms(std::span<const float> density, const NormTarget& target, std::span<float> norm);

} // namespace gb::quant
