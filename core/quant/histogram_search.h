// The search for the part of a histogram that loses least when it is quantized.
//
// Source: torchao/quantization/pt2e/observer.py (HistogramObserver._non_linear_param_search,
// _compute_quantization_error). It needs no observer: a recorded histogram gives the same moves again.
//
// Thread: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gb::quant {

struct HistogramView {
    std::span<const float> counts; ///< one a bin, at least one bin
    float min = 0;
    float max = 0;
    double levels = 256; ///< dst_nbins: how many values the quantized dtype has
};

/// One tried move of an end: from the bins chosen so far to these.
struct SearchMove {
    std::int64_t startBin = 0; ///< first bin of the tried range
    std::int64_t endBin = 0;   ///< last bin, inclusive
    double alpha = 0;          ///< share of the counts that may be cut off below
    double beta = 1;           ///< 1 - share that may be cut off above
    double norm = 0;           ///< squared quantization error of the tried range
    bool kept = false;         ///< false: it is larger than the one before, and the search ends
};

struct SearchResult {
    std::int64_t startBin = 0;
    std::int64_t endBin = 0;
    float min = 0; ///< lower end of startBin
    float max = 0; ///< upper end of endBin
};

/// histogram_s8: alpha rises and beta falls by 1e-5; the end that skips more bins moves; a move that makes the error
/// larger ends the search. With `moves`, every tried move is appended to it.
SearchResult searchRange(const HistogramView& histogram, std::vector<SearchMove>* moves = nullptr);

/// histogram_s9: the L2 error of values spread evenly over each bin, in float32 in torch's order, when bins startBin to
/// endBin become `levels` values; 0 where the bins have no width.
double quantizationError(const HistogramView& histogram, std::int64_t startBin, std::int64_t endBin);

} // namespace gb::quant
