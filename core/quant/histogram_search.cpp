#include "quant/histogram_search.h"

#include "quant/histogram_norm.h"
#include "quant/torch_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::quant {
namespace {

/// The error of many ranges over one histogram: what does not change with the range is computed once.
class ErrorEstimate {
public:
    explicit ErrorEstimate(const HistogramView& histogram);
    double operator()(std::int64_t startBin, std::int64_t endBin);

private:
    std::int64_t m_bins;
    double m_levels;
    double m_width;     ///< bin_width, a Python float
    float m_floatWidth; ///< the same as torch's float32 operations see it
    std::vector<float> m_density;
    std::vector<float> m_norm;
};

ErrorEstimate::ErrorEstimate(const HistogramView& histogram)
    : m_bins(static_cast<std::int64_t>(histogram.counts.size()))
    , m_levels(histogram.levels)
    , m_width((static_cast<double>(histogram.max) - static_cast<double>(histogram.min)) / static_cast<double>(m_bins))
    , m_floatWidth(static_cast<float>(m_width))
    , m_density(histogram.counts.size())
    , m_norm(histogram.counts.size())
{
    for (std::size_t bin = 0; bin < m_density.size(); ++bin)
        m_density[bin] = histogram.counts[bin] / m_floatWidth;
}

double ErrorEstimate::operator()(std::int64_t startBin, std::int64_t endBin)
{
    const double width = m_width * static_cast<double>(endBin - startBin + 1) / m_levels;
    if (width == 0)
        return 0;
    NormTarget target{};
    target.width = static_cast<float>(width);
    target.half = static_cast<float>(width / 2);
    target.last = static_cast<float>(m_levels - 1);
    target.start = startBin;
    target.binWidth = m_floatWidth;
    const bool plain =
        m_levels <= 65536 && std::isnormal(target.width) && std::isfinite(m_floatWidth * static_cast<float>(m_bins));
    if (plain)
        plainNorms(m_density, target, m_norm);
    else
        for (std::size_t bin = 0; bin < m_norm.size(); ++bin)
            m_norm[bin] = binNorm(m_density[bin], static_cast<std::int64_t>(bin), target);
    return static_cast<double>(torchSum(m_norm));
}

/// torch.cumsum of float32 on a CPU: added in double, each sum rounded to float32.
std::vector<float> cumulated(std::span<const float> counts)
{
    std::vector<float> out;
    out.reserve(counts.size());
    double sum = 0;
    for (const float count : counts) {
        sum += static_cast<double>(count);
        out.push_back(static_cast<float>(sum));
    }
    return out;
}

} // namespace

double quantizationError(const HistogramView& histogram, std::int64_t startBin, std::int64_t endBin)
{
    return ErrorEstimate(histogram)(startBin, endBin);
}

SearchResult searchRange(const HistogramView& histogram, std::vector<SearchMove>* moves)
{
    constexpr double stepSize = 1e-5;
    const auto bins = static_cast<std::int64_t>(histogram.counts.size());
    const auto total = static_cast<double>(torchSum(histogram.counts));
    const std::vector<float> sums = cumulated(histogram.counts);
    ErrorEstimate error(histogram);
    std::int64_t startBin = 0;
    std::int64_t endBin = bins - 1;
    double alpha = 0;
    double beta = 1;
    double least = std::numeric_limits<double>::infinity();
    while (alpha < beta) { // histogram_s8
        const double nextAlpha = alpha + stepSize;
        const double nextBeta = beta - stepSize;
        // a tensor and a Python float are compared in the tensor's float32
        const auto low = static_cast<float>(nextAlpha * total);
        const auto high = static_cast<float>(nextBeta * total);
        std::int64_t left = startBin;
        std::int64_t right = endBin;
        while (left < endBin && sums[static_cast<std::size_t>(left)] < low)
            ++left;
        while (right > startBin && sums[static_cast<std::size_t>(right)] > high)
            --right;
        SearchMove move{startBin, endBin, alpha, beta, 0, false};
        if (left - startBin > endBin - right)
            move = {left, endBin, nextAlpha, beta, 0, false};
        else
            move = {startBin, right, alpha, nextBeta, 0, false};
        alpha = move.alpha;
        beta = move.beta;
        if (move.startBin == startBin && move.endBin == endBin)
            continue;
        move.norm = error(move.startBin, move.endBin);
        move.kept = !(move.norm > least);
        if (moves)
            moves->push_back(move);
        if (!move.kept)
            break;
        least = move.norm;
        startBin = move.startBin;
        endBin = move.endBin;
    }
    const float width = (histogram.max - histogram.min) / static_cast<float>(bins);
    return {startBin, endBin, histogram.min + width * static_cast<float>(startBin),
            histogram.min + width * static_cast<float>(endBin + 1)};
}

} // namespace gb::quant
