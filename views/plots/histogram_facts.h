// What can be said of an observer's range, levels and clipping, worked out from its state alone.
//
// Ranges: `observed` is min_val..max_val. `chosen` is what the observer makes its qparams of: the searched part of a
// histogram (HistogramObserver._non_linear_param_search), else the observed range. `covered` is chosen as
// _calculate_qparams uses it: with 0 in it, and for symmetric schemes as wide on both sides. `representable` is what
// the levels stand for after the zero point was rounded: (quant_min - zero_point) * scale .. (quant_max - zero_point) *
// scale.
//
// A value is clipped where fake quantize's mask is false: round(x / scale) + zero_point lies outside of
// quant_min..quant_max, so beyond the representable range by more than half a level. Shares are by count; a bin that
// the limit cuts is shared out evenly.
//
// Source: torchao/quantization/pt2e/observer.py, torch/ao/quantization's fake_quantize kernels.
//
// Thread: pure functions of values.
#pragma once

#include "quant/observer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gb::views {

struct ValueRange {
    double min = 0;
    double max = 0;
    [[nodiscard]] double width() const { return max - min; }
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

enum class ObserverKind : unsigned char {
    Histogram,  ///< per tensor, with counts
    Range,      ///< per tensor, min and max only
    PerChannel, ///< a min and a max for each channel
    Fixed,      ///< scale and zero point were given
    Derived,    ///< computed from other observers' qparams
    Dynamic,    ///< computed at run time by choose_qparams
    Passive,    ///< no qparams at all (PlaceholderObserver for a float dtype, ...)
};

/// What a reader must know before believing the picture.
enum class Notice : unsigned char {
    NoData,           ///< no batch: scale 1 and zero point 0 are defaults
    NoQParams,        ///< torchao raises where qparams are asked for: HistogramFacts::noQParams
    ConstantTensor,   ///< one single value was observed
    FlooredAtEps,     ///< the scale is eps, since the range is too narrow
    ZeroPointClamped, ///< the zero point would lie outside of quant_min..quant_max
    WidenedToZero,    ///< 0 was not in the chosen range and was taken in
    UnusedLevels,     ///< symmetric: one side has levels that no observed value reaches
    NotSearched,      ///< too many bins to repeat the search here: the chosen range is not known
};

/// How scale and zero point come about, with the numbers in it. Arithmetic in float32 in torch's order, so that scale
/// and zeroPoint are the observer's own to the last bit.
struct Formula {
    enum class Kind : unsigned char { None, Affine, Symmetric, FloatQParams };
    Kind kind = Kind::None;
    double low = 0; ///< min as used: with 0 in it (not for float qparams)
    double high = 0;
    double divisor = 1; ///< quant_max - quant_min, or half of it for symmetric schemes
    double raw = 0;     ///< the quotient before eps
    double scale = 1;
    double rounded = 0;   ///< round(low / scale); affine
    double unclamped = 0; ///< quant_min - rounded; affine
    double zeroPoint = 0;
};

struct HistogramFacts {
    ObserverKind kind = ObserverKind::Passive;
    bool hasData = false;
    std::int64_t channels = 1; ///< 0 for a per-channel observer before the first batch
    std::int64_t channel = 0;
    std::optional<std::int64_t> quantMin; ///< the dtype's own where the setting is None
    std::optional<std::int64_t> quantMax;
    std::optional<double> scale; ///< the observer's, of `channel`
    std::optional<double> zeroPoint;
    std::string noQParams; ///< torchao's sentence where there are none
    std::optional<ValueRange> observed;
    std::optional<ValueRange> chosen;
    std::optional<ValueRange> covered;
    std::optional<ValueRange> representable;
    std::vector<double> counts; ///< Histogram: one a bin over `observed`, in value order; one for a constant tensor
    std::optional<ValueRange> counted; ///< what the counts are over where that is not `observed` (see countValues)
    double total = 0;                  ///< sum of counts
    std::optional<double> clippedLeft; ///< count below what can be represented; absent without a histogram
    std::optional<double> clippedRight;
    std::int64_t levels = 0;                ///< quant_max - quant_min + 1
    std::optional<std::int64_t> levelsUsed; ///< from the level of the smallest observed value to that of the largest
    Formula formula;
    std::vector<Notice> notices;

    [[nodiscard]] bool has(Notice notice) const;
    [[nodiscard]] double binWidth() const;
    /// The part of the counted range that a bin stands for.
    [[nodiscard]] ValueRange bin(std::size_t index) const;
    /// Bin of a value; absent outside of the counted range and without a histogram.
    [[nodiscard]] std::optional<std::size_t> binOf(double value) const;
    /// The limits beyond which values are clipped: half a level outside of representable.
    [[nodiscard]] std::optional<ValueRange> unclipped() const;
    /// Level of a value as torch rounds it (to even), clamped; absent without qparams.
    [[nodiscard]] std::optional<std::int64_t> level(double value) const;
    [[nodiscard]] std::optional<double> dequantized(std::int64_t level) const;
};

/// `type` is the class of the observer (of a fake quantize: of its inner one). `channel` is cut to what there is.
HistogramFacts histogramFacts(const std::string& type, const quant::ObserverSettings& settings,
                              const quant::ObserverState& state, std::int64_t channel = 0);

/// Gives an observer that keeps only a range the histogram of the values that it saw, counted by somebody else: bars
/// and clipped shares. Does nothing for other kinds.
void countValues(HistogramFacts& facts, const ValueRange& range, std::vector<double> counts);

/// More bins than this are not searched again for the chosen range: the search takes the square of it.
inline constexpr std::int64_t kMostSearchedBins = 4096;

} // namespace gb::views
