#include "quant/histogram_search.h"

#include "quant/torch_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::quant {
namespace {

/// torch.div(a, b, rounding_mode="floor") for float32.
float divFloor(float a, float b)
{
    if (b == 0)
        return a / b;
    const float mod = std::fmod(a, b);
    float div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0))
        div -= 1;
    if (div == 0)
        return std::copysign(0.0F, a / b);
    const float floored = std::floor(div);
    return div - floored > 0.5F ? floored + 1 : floored;
}

float cube(float x)
{
    return x * x * x;
}

/// _get_norm without the density.
float spread(float begin, float end)
{
    return (cube(end) - cube(begin)) / 3;
}

/// The error of many ranges over one histogram: what does not change with the range is computed once.
class ErrorEstimate {
public:
    explicit ErrorEstimate(const HistogramView& histogram);
    double operator()(std::int64_t startBin, std::int64_t endBin);

private:
    /// What one range gives every bin.
    struct Target {
        float width;        ///< dst_bin_width
        float half;         ///< dst_bin_width / 2
        float inside;       ///< spread over a whole target bin
        float last;         ///< dst_nbins - 1
        std::int64_t start; ///< next_start_bin
        bool plain;         ///< floor division may be done in double
    };
    [[nodiscard]] float targetBin(float at, const Target& target) const;
    [[nodiscard]] float binError(std::int64_t bin, const Target& target) const;

    std::int64_t m_bins;
    double m_levels;
    double m_width;     ///< bin_width, a Python float
    float m_floatWidth; ///< the same as torch's float32 operations see it
    std::vector<float> m_density;
    std::vector<float> m_norm;
    std::vector<std::int64_t> m_filled; ///< the bins whose error can be other than 0
};

ErrorEstimate::ErrorEstimate(const HistogramView& histogram)
    : m_bins(static_cast<std::int64_t>(histogram.counts.size()))
    , m_levels(histogram.levels)
    , m_width((static_cast<double>(histogram.max) - static_cast<double>(histogram.min)) / static_cast<double>(m_bins))
    , m_floatWidth(static_cast<float>(m_width))
    , m_norm(histogram.counts.size(), 0.0F)
{
    // An empty bin adds 0 unless a width is 0 or a cube overflows; then 0 * inf must come out as NaN, as in torch.
    const float reach = static_cast<float>(m_bins + 2) * m_floatWidth;
    const bool tame = m_floatWidth > 0 && reach < 1e12F;
    for (std::int64_t bin = 0; bin < m_bins; ++bin) {
        const float count = histogram.counts[static_cast<std::size_t>(bin)];
        m_density.push_back(count / m_floatWidth);
        if (!tame || count != 0)
            m_filled.push_back(bin);
    }
}

float ErrorEstimate::targetBin(float at, const Target& target) const
{
    if (target.plain) {
        // The quotient is below 2^22, where the double quotient of two floats has the floor of the exact one.
        const double quotient = static_cast<double>(at) / static_cast<double>(target.width);
        const double cut = std::clamp(quotient, 0.0, static_cast<double>(target.last));
        return static_cast<float>(static_cast<std::int32_t>(cut));
    }
    const float bin = divFloor(at, target.width);
    return bin != bin ? bin : std::clamp(bin, 0.0F, target.last);
}

float ErrorEstimate::binError(std::int64_t bin, const Target& target) const
{
    const float density = m_density[static_cast<std::size_t>(bin)];
    const float begin = static_cast<float>(bin - target.start) * m_floatWidth;
    const float end = begin + m_floatWidth;
    const float beginBin = targetBin(begin, target);
    const float endBin = targetBin(end, target);
    const float beginCenter = (beginBin + 0.5F) * target.width;
    const float endCenter = endBin * target.width + target.half;
    float norm = density * spread(begin - beginCenter, target.half);
    norm += (endBin - beginBin - 1) * (density * target.inside);
    norm += density * spread(-target.half, end - endCenter);
    return norm;
}

double ErrorEstimate::operator()(std::int64_t startBin, std::int64_t endBin)
{
    const double width = m_width * static_cast<double>(endBin - startBin + 1) / m_levels;
    if (width == 0)
        return 0;
    Target target{};
    target.width = static_cast<float>(width);
    target.half = static_cast<float>(width / 2);
    target.inside = spread(-target.half, target.half);
    target.last = static_cast<float>(m_levels - 1);
    target.start = startBin;
    target.plain =
        m_levels <= 65536 && std::isnormal(target.width) && std::isfinite(m_floatWidth * static_cast<float>(m_bins));
    for (const std::int64_t bin : m_filled)
        m_norm[static_cast<std::size_t>(bin)] = binError(bin, target);
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
