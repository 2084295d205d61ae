#include "plots/histogram_facts.h"

#include "quant/histogram_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace gb::views {
namespace {

using quant::ObserverSettings;
using quant::ObserverState;

/// Values further out than this are no range that a person can look at, nor one that a level could be given for.
constexpr double kMost = 1e300;

bool finite(double value)
{
    return std::isfinite(value) && std::abs(value) < kMost;
}

double asFloat(double value)
{
    return static_cast<double>(static_cast<float>(value));
}

/// Arithmetic of torch on float32: each step rounded.
double divided(double a, double b)
{
    return static_cast<double>(static_cast<float>(a) / static_cast<float>(b));
}

std::optional<double> elementAt(const std::optional<ir::Tensor>& tensor, std::int64_t index)
{
    if (!tensor || index < 0 || index >= tensor->elementCount())
        return std::nullopt;
    return tensor->at(index);
}

ObserverKind kindOf(const std::string& type, const ObserverSettings& settings, const ObserverState& state)
{
    if (settings.isDynamic.value_or(false))
        return ObserverKind::Dynamic;
    if (type.find("FixedQParams") != std::string::npos)
        return ObserverKind::Fixed;
    if (type.find("Derived") != std::string::npos)
        return ObserverKind::Derived;
    if (type.find("PerChannel") != std::string::npos || (settings.qscheme && ir::isPerChannel(*settings.qscheme)))
        return ObserverKind::PerChannel;
    if (type.find("Histogram") != std::string::npos || (state.histogram && settings.bins))
        return ObserverKind::Histogram;
    if (state.minVal || type.find("MinMax") != std::string::npos || type.find("MovingAvg") != std::string::npos)
        return ObserverKind::Range;
    return ObserverKind::Passive;
}

double shareBelow(const ValueRange& bin, double limit)
{
    if (bin.width() <= 0)
        return bin.min < limit ? 1 : 0;
    return std::clamp((limit - bin.min) / bin.width(), 0.0, 1.0);
}

void clipCounts(HistogramFacts& facts)
{
    const auto limits = facts.unclipped();
    if (!limits || facts.counts.empty() || facts.total <= 0)
        return;
    double left = 0;
    double right = 0;
    for (std::size_t i = 0; i < facts.counts.size(); ++i) {
        const ValueRange bin = facts.bin(i);
        left += facts.counts[i] * shareBelow(bin, limits->min);
        right += facts.counts[i] * (1 - shareBelow(bin, limits->max));
    }
    facts.clippedLeft = left;
    facts.clippedRight = right;
}

class Maker {
public:
    Maker(const std::string& type, const ObserverSettings& settings, const ObserverState& state)
        : m_settings(settings)
        , m_state(state)
    {
        m_facts.kind = kindOf(type, settings, state);
    }

    HistogramFacts make(std::int64_t channel)
    {
        readChannel(channel);
        readLevels();
        readQParams();
        if (readObserved()) {
            readCounts();
            choose();
            explain();
        }
        represent();
        clipCounts(m_facts);
        notices();
        return std::move(m_facts);
    }

private:
    [[nodiscard]] bool ranged() const
    {
        return m_facts.kind == ObserverKind::Histogram || m_facts.kind == ObserverKind::Range
               || m_facts.kind == ObserverKind::PerChannel;
    }

    void readChannel(std::int64_t channel)
    {
        m_facts.channels = 1;
        if (m_facts.kind == ObserverKind::PerChannel)
            m_facts.channels = m_state.minVal ? m_state.minVal->elementCount() : 0;
        else if (m_facts.kind == ObserverKind::Derived && m_state.qparams)
            m_facts.channels = m_state.qparams->scale.elementCount();
        m_facts.channel = std::clamp<std::int64_t>(channel, 0, std::max<std::int64_t>(0, m_facts.channels - 1));
    }

    void readLevels()
    {
        m_facts.quantMin = m_settings.quantMin;
        m_facts.quantMax = m_settings.quantMax;
        if (m_settings.dtype && ir::isInteger(*m_settings.dtype)) {
            if (!m_facts.quantMin)
                m_facts.quantMin = ir::integerMin(*m_settings.dtype);
            if (!m_facts.quantMax)
                m_facts.quantMax = ir::integerMax(*m_settings.dtype);
        }
        const bool sane = m_facts.quantMin && m_facts.quantMax && *m_facts.quantMin <= *m_facts.quantMax
                          && static_cast<double>(*m_facts.quantMax) - static_cast<double>(*m_facts.quantMin) < 1e15;
        if (sane)
            m_facts.levels = *m_facts.quantMax - *m_facts.quantMin + 1;
    }

    void readQParams()
    {
        m_facts.noQParams = m_state.noQParams;
        if (!m_state.qparams)
            return;
        // one value stands for all channels where there is only one (before the first batch)
        const auto pick = [this](const ir::Tensor& t) -> std::optional<double> {
            const std::int64_t n = t.elementCount();
            return n == 0 ? std::nullopt : std::optional(t.at(std::min(m_facts.channel, n - 1)));
        };
        m_facts.scale = pick(m_state.qparams->scale);
        m_facts.zeroPoint = pick(m_state.qparams->zeroPoint);
    }

    bool readObserved()
    {
        if (!ranged())
            return false;
        const auto min = elementAt(m_state.minVal, m_facts.channel);
        const auto max = elementAt(m_state.maxVal, m_facts.channel);
        if (!min || !max || !finite(*min) || !finite(*max) || *min > *max)
            return false;
        m_facts.hasData = true;
        m_facts.observed = ValueRange{*min, *max};
        return true;
    }

    void readCounts()
    {
        if (m_facts.kind != ObserverKind::Histogram || !m_state.histogram)
            return;
        std::vector<double> counts = m_state.histogram->toDoubles();
        for (double& c : counts)
            c = std::isfinite(c) && c > 0 ? c : 0;
        for (const double c : counts)
            m_facts.total += c;
        if (m_facts.observed->width() <= 0) // histogram_s2: torch spread a made-up range around the one value
            counts.assign(counts.empty() ? 0 : 1, m_facts.total);
        m_facts.counts = std::move(counts);
    }

    void choose()
    {
        m_facts.chosen = m_facts.observed;
        if (m_facts.kind != ObserverKind::Histogram || !m_state.histogram || !m_settings.dtype
            || !ir::isInteger(*m_settings.dtype))
            return;
        const ir::Tensor counts = m_state.histogram->dtype() == ir::DType::Float32
                                      ? m_state.histogram->contiguous()
                                      : m_state.histogram->to(ir::DType::Float32).contiguous();
        if (counts.elementCount() == 0)
            return;
        if (counts.elementCount() > kMostSearchedBins) {
            m_facts.chosen.reset();
            m_facts.notices.push_back(Notice::NotSearched);
            return;
        }
        const std::size_t bits = ir::itemSize(*m_settings.dtype) * 8;
        const quant::SearchResult found =
            quant::searchRange({{counts.data<float>(), static_cast<std::size_t>(counts.elementCount())},
                                static_cast<float>(m_facts.observed->min),
                                static_cast<float>(m_facts.observed->max),
                                std::ldexp(1.0, static_cast<int>(bits))});
        const ValueRange range{static_cast<double>(found.min), static_cast<double>(found.max)};
        if (finite(range.min) && finite(range.max) && range.min <= range.max)
            m_facts.chosen = range;
    }

    void explain()
    {
        if (!m_facts.chosen || m_facts.levels == 0 || !m_settings.qscheme)
            return;
        Formula& f = m_facts.formula;
        const double eps = asFloat(m_settings.eps.value_or(std::numeric_limits<float>::epsilon()));
        const auto min = static_cast<double>(*m_facts.quantMin);
        const auto steps = static_cast<double>(*m_facts.quantMax) - min;
        f.low = m_facts.chosen->min;
        f.high = m_facts.chosen->max;
        f.divisor = asFloat(steps);
        if (m_settings.qscheme == ir::QScheme::PerChannelAffineFloatQParams) { // qparams_c5
            f.kind = Formula::Kind::FloatQParams;
            f.raw = divided(asFloat(f.high - f.low), f.divisor);
            f.scale = f.raw > eps ? f.raw : 1.0;
            f.zeroPoint = divided(-f.low, f.scale);
            m_facts.covered = m_facts.chosen;
            return;
        }
        f.low = std::min(f.low, 0.0); // qparams_c3
        f.high = std::max(f.high, 0.0);
        if (ir::isSymmetric(*m_settings.qscheme)) { // qparams_c4
            f.kind = Formula::Kind::Symmetric;
            const double reach = std::max(-f.low, f.high);
            f.divisor = asFloat(steps / 2);
            f.raw = divided(reach, f.divisor);
            f.scale = std::max(f.raw, eps);
            f.zeroPoint = m_facts.zeroPoint.value_or(0); // 0, or the middle of an unsigned range: nothing is computed
            m_facts.covered = ValueRange{-reach, reach};
            return;
        }
        f.kind = Formula::Kind::Affine; // qparams_c6
        f.raw = divided(asFloat(f.high - f.low), f.divisor);
        f.scale = std::max(f.raw, eps);
        f.rounded = std::nearbyint(divided(f.low, f.scale));
        f.unclamped = min - f.rounded;
        f.zeroPoint = std::clamp(f.unclamped, min, min + steps);
        m_facts.covered = ValueRange{f.low, f.high};
    }

    void represent()
    {
        if (m_facts.levels == 0 || !m_facts.scale || !m_facts.zeroPoint)
            return;
        if (!finite(*m_facts.scale) || *m_facts.scale <= 0 || !finite(*m_facts.zeroPoint))
            return;
        const bool asked = ranged() ? m_facts.hasData : m_facts.kind != ObserverKind::Passive;
        if (!asked || m_facts.kind == ObserverKind::Dynamic)
            return;
        m_facts.representable =
            ValueRange{(static_cast<double>(*m_facts.quantMin) - *m_facts.zeroPoint) * *m_facts.scale,
                       (static_cast<double>(*m_facts.quantMax) - *m_facts.zeroPoint) * *m_facts.scale};
        if (!m_facts.hasData)
            return;
        const auto low = m_facts.level(m_facts.observed->min);
        const auto high = m_facts.level(m_facts.observed->max);
        if (low && high)
            m_facts.levelsUsed = *high - *low + 1;
    }

    void notices()
    {
        const Formula& f = m_facts.formula;
        const auto add = [this](bool holds, Notice notice) {
            if (holds)
                m_facts.notices.push_back(notice);
        };
        add(ranged() && !m_facts.hasData, Notice::NoData);
        add(!m_state.noQParams.empty() && m_facts.kind != ObserverKind::Dynamic, Notice::NoQParams);
        if (!m_facts.hasData)
            return;
        add(m_facts.observed->width() <= 0, Notice::ConstantTensor);
        const bool computed = f.kind == Formula::Kind::Affine || f.kind == Formula::Kind::Symmetric;
        add(computed && f.scale > f.raw, Notice::FlooredAtEps);
        add(f.kind == Formula::Kind::Affine && f.unclamped != f.zeroPoint, Notice::ZeroPointClamped);
        add(computed && (m_facts.chosen->min > 0 || m_facts.chosen->max < 0), Notice::WidenedToZero);
        const double lopsided = m_facts.covered ? m_facts.covered->width() - (f.high - f.low) : 0;
        add(f.kind == Formula::Kind::Symmetric && lopsided > 2 * f.scale, Notice::UnusedLevels);
    }

    const ObserverSettings& m_settings;
    const ObserverState& m_state;
    HistogramFacts m_facts;
};

} // namespace

bool HistogramFacts::has(Notice notice) const
{
    return std::ranges::find(notices, notice) != notices.end();
}

double HistogramFacts::binWidth() const
{
    const auto& over = counted ? counted : observed;
    return over && !counts.empty() ? over->width() / static_cast<double>(counts.size()) : 0;
}

ValueRange HistogramFacts::bin(std::size_t index) const
{
    const double width = binWidth();
    const auto& over = counted ? counted : observed;
    const double from = over ? over->min : 0;
    return {from + width * static_cast<double>(index), from + width * static_cast<double>(index + 1)};
}

std::optional<std::size_t> HistogramFacts::binOf(double value) const
{
    const auto& over = counted ? counted : observed;
    if (!over || counts.empty() || !(value >= over->min && value <= over->max))
        return std::nullopt;
    if (binWidth() <= 0)
        return 0;
    const auto at = static_cast<std::size_t>((value - over->min) / binWidth());
    return std::min(at, counts.size() - 1);
}

std::optional<ValueRange> HistogramFacts::unclipped() const
{
    if (!representable)
        return std::nullopt;
    return ValueRange{representable->min - *scale / 2, representable->max + *scale / 2};
}

std::optional<std::int64_t> HistogramFacts::level(double value) const
{
    if (!representable || std::isnan(value))
        return std::nullopt;
    // as the kernels do: times the inverse scale, in float32
    const float inverse = 1.0F / static_cast<float>(*scale);
    const auto scaled = static_cast<double>(static_cast<float>(value) * inverse);
    const double steps = *zeroPoint == std::nearbyint(*zeroPoint) ? std::nearbyint(scaled) + *zeroPoint
                                                                  : std::nearbyint(scaled + *zeroPoint);
    return static_cast<std::int64_t>(std::clamp(steps, static_cast<double>(*quantMin), static_cast<double>(*quantMax)));
}

std::optional<double> HistogramFacts::dequantized(std::int64_t q) const
{
    if (!representable)
        return std::nullopt;
    return (static_cast<double>(q) - *zeroPoint) * *scale;
}

HistogramFacts histogramFacts(const std::string& type, const quant::ObserverSettings& settings,
                              const quant::ObserverState& state, std::int64_t channel)
{
    return Maker(type, settings, state).make(channel);
}

void countValues(HistogramFacts& facts, const ValueRange& range, std::vector<double> counts)
{
    if (facts.kind != ObserverKind::Range || !facts.hasData || counts.empty() || range.width() < 0)
        return;
    facts.counted = range;
    facts.counts = std::move(counts);
    facts.total = 0;
    for (const double count : facts.counts)
        facts.total += count;
    clipCounts(facts);
}

} // namespace gb::views
