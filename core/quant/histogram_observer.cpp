#include "quant/histogram_observer.h"

#include "base/message.h"
#include "quant/histogram_bins.h"
#include "quant/torch_sum.h"

#include <cmath>
#include <limits>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::DType;
using ir::Tensor;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Bounds {
    double min = kInf;
    double max = -kInf;
};

/// torch.aminmax(x) in x's own type, as double. A NaN comes out negative where torch's vector code made it, which
/// histc's sentence shows: from 2 values on, below the 32,768 from which threads share the work.
base::Result<Bounds> boundsOf(const Tensor& x, base::Pool* pool)
{
    const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(),
                                     x.elementCount() > 1 && x.elementCount() < 32768 ? -1.0 : 1.0);
    if (x.dtype() == DType::Float64) {
        Bounds found;
        const auto* values = x.data<double>();
        for (std::int64_t i = 0; i < x.elementCount(); ++i) {
            if (values[i] != values[i])
                return Bounds{nan, nan};
            found.min = std::min(found.min, values[i]);
            found.max = std::max(found.max, values[i]);
        }
        return found;
    }
    GB_ASSIGN(const Tensor values, toFloat32(x));
    const MinMax found = aminmax(values, pool);
    if (std::isnan(found.min.at(0)))
        return Bounds{nan, nan};
    return Bounds{found.min.at(0), found.max.at(0)};
}

/// x[x.abs() != torch.inf], flat (histogram_s1).
Tensor finitePart(const Tensor& x)
{
    const auto keep = [&]<class T>(auto isInfinite) {
        const T* from = x.data<T>();
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < x.elementCount(); ++i)
            if (!isInfinite(from[i]))
                places.push_back(i);
        Tensor out = Tensor::empty(x.dtype(), {static_cast<std::int64_t>(places.size())});
        T* to = out.mutableData<T>();
        for (std::size_t i = 0; i < places.size(); ++i)
            to[i] = from[places[i]];
        return out;
    };
    switch (x.dtype()) {
    case DType::Float64: return keep.template operator()<double>([](double value) { return std::isinf(value); });
    case DType::Float16:
        return keep.template operator()<std::uint16_t>([](std::uint16_t bits) { return (bits & 0x7FFF) == 0x7C00; });
    case DType::BFloat16:
        return keep.template operator()<std::uint16_t>([](std::uint16_t bits) { return (bits & 0x7FFF) == 0x7F80; });
    default: return keep.template operator()<float>([](float value) { return std::isinf(value); });
    }
}

/// torch.min and torch.max of two values: NaN wins, and has no sign.
double smaller(double a, double b)
{
    return std::isunordered(a, b) ? std::numeric_limits<double>::quiet_NaN() : std::min(a, b);
}

double larger(double a, double b)
{
    return std::isunordered(a, b) ? std::numeric_limits<double>::quiet_NaN() : std::max(a, b);
}

MinMax rangeOf(double min, double max)
{
    return {Tensor::scalar(static_cast<float>(min)), Tensor::scalar(static_cast<float>(max))};
}

std::vector<float> sum(std::span<const float> a, std::span<const float> b)
{
    std::vector<float> out(a.begin(), a.end());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] += b[i];
    return out;
}

base::Result<std::int64_t> readBins(const Keywords& keywords)
{
    GB_ASSIGN(const std::optional<std::int64_t> bins, keywords.integer("bins", 2048));
    if (!bins)
        return Error{ErrorCode::TypeError, "zeros() received an invalid combination of arguments", {}};
    if (*bins < 0)
        return Error{ErrorCode::RuntimeError, "zeros: Dimension size must be non-negative.", {}};
    if (*bins > HistogramObserver::kMostBins)
        return Error{ErrorCode::Unsupported,
                     say("HistogramObserver: bins {0}, at most {1} expected", base::grouped(*bins),
                         base::grouped(HistogramObserver::kMostBins)),
                     {}};
    return *bins;
}

} // namespace

HistogramObserver::HistogramObserver(UniformConfig config, ObserverSettings settings)
    : UniformObserver(std::move(config), std::move(settings), untouchedRange())
    , m_histogram(Tensor::zeros(DType::Float32, {*this->settings().bins}))
{
}

base::Result<std::shared_ptr<Observer>> HistogramObserver::make(const Keywords& keywords)
{
    GB_TRY(requirePerTensor(keywords));
    GB_TRY(refuseDynamic(keywords));
    GB_ASSIGN(UniformConfig config, makeUniformConfig(keywords, ir::QScheme::PerTensorAffine, {"bins"}));
    ObserverSettings settings = settingsOf(config);
    GB_ASSIGN(settings.bins, readBins(keywords));
    GB_TRY(integerInfo(config.dtype)); // dst_nbins needs torch.iinfo
    return std::shared_ptr<Observer>(new HistogramObserver(std::move(config), std::move(settings)));
}

base::Status HistogramObserver::observe(const Tensor& input, base::Pool* pool)
{
    m_chosen = std::make_shared<Chosen>();
    Tensor x = input.contiguous();
    GB_ASSIGN(Bounds bounds, boundsOf(x, pool));
    setSeen(rangeOf(bounds.min, bounds.max));
    if (bounds.min == -kInf || bounds.max == kInf) { // histogram_s1
        x = finitePart(x);
        if (x.elementCount() == 0)
            return {};
        GB_ASSIGN(bounds, boundsOf(x, pool));
    }
    const bool untouched = range().min.at(0) == kInf || range().max.at(0) == -kInf;
    return untouched ? begin(x, bounds.min, bounds.max, pool) : extend(x, bounds.min, bounds.max, pool);
}

base::Status HistogramObserver::begin(const Tensor& x, double min, double max, base::Pool* pool)
{
    setRange(rangeOf(min, max)); // before histc can refuse, as reset_histogram does
    GB_ASSIGN(const std::vector<float> counts, histc(x, *settings().bins, min, max, pool));
    m_histogram = Tensor::fromVector(counts);
    return {};
}

base::Status HistogramObserver::extend(const Tensor& x, double min, double max, base::Pool* pool)
{
    const double newMin = smaller(range().min.at(0), min);
    const double newMax = larger(range().max.at(0), max);
    GB_ASSIGN(const std::vector<float> added, histc(x, *settings().bins, newMin, newMax, pool));
    const bool same = newMin == range().min.at(0) && newMax == range().max.at(0);
    if (same) { // histogram_s5
        m_histogram = Tensor::fromVector(sum(histogram().counts, added));
        return {};
    }
    GB_ASSIGN(const std::vector<float> old, moved(newMin, newMax));
    m_histogram = Tensor::fromVector(sum(old, added));
    setRange(rangeOf(newMin, newMax));
    return {};
}

/// The counts so far in the bins of the new range.
base::Result<std::vector<float>> HistogramObserver::moved(double newMin, double newMax) const
{
    const HistogramView old = histogram();
    if (old.min != old.max)
        return upscaled(old.counts, old.min, old.max, static_cast<float>(newMin), static_cast<float>(newMax));
    const float count = torchSum(old.counts); // histogram_s7
    GB_ASSIGN(std::vector<float> moved, histc(range().min, *settings().bins, newMin, newMax));
    for (float& bin : moved)
        bin *= count;
    return moved;
}

HistogramView HistogramObserver::histogram() const
{
    return {{m_histogram.data<float>(), static_cast<std::size_t>(m_histogram.elementCount())},
            *range().min.data<float>(),
            *range().max.data<float>(),
            std::ldexp(1.0, integerBits(config().dtype))};
}

base::Result<QParams> HistogramObserver::searchQParams() const
{
    if (range().min.at(0) == kInf && range().max.at(0) == -kInf)
        return defaultQParams();
    const SearchResult chosen = searchRange(histogram());
    return quant::calculateQParams(config(), Tensor::scalar(chosen.min), Tensor::scalar(chosen.max));
}

base::Result<QParams> HistogramObserver::calculateQParams() const
{
    std::call_once(m_chosen->once, [this] { m_chosen->qparams = searchQParams(); });
    return *m_chosen->qparams;
}

ObserverState HistogramObserver::state() const
{
    ObserverState state = UniformObserver::state();
    state.histogram = m_histogram;
    return state;
}

} // namespace gb::quant
