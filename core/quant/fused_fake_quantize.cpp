#include "quant/fused_fake_quantize.h"

#include "base/message.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::DType;
using ir::Tensor;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// torch's C++ name in "expected scalar type Float but found X".
const char* scalarTypeName(DType dtype)
{
    switch (dtype) {
    case DType::Float64: return "Double";
    case DType::Float16: return "Half";
    case DType::BFloat16: return "BFloat16";
    case DType::UInt8: return "Byte";
    case DType::Int8: return "Char";
    case DType::Int16: return "Short";
    case DType::Int32: return "Int";
    case DType::Int64: return "Long";
    case DType::Bool: return "Bool";
    default: return ir::name(dtype);
    }
}

Tensor filled(std::int64_t count, float value)
{
    return Tensor::fromVector(std::vector<float>(static_cast<std::size_t>(count), value));
}

std::int32_t nearest(double value)
{
    if (!(std::abs(value) < 2147483648.0))
        return std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(std::nearbyint(value));
}

struct FloatRange {
    float min;
    float max;
};

/// C++'s int arithmetic as it comes out there: an int32 range has more steps than an int holds.
std::int32_t wrappedDifference(std::int32_t a, std::int32_t b)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

double wrappedAbs(std::int32_t a)
{
    return static_cast<double>(a < 0 ? wrappedDifference(0, a) : a);
}

/// Stretches the range so that a scale below the threshold becomes the threshold.
void cutOffSmallScale(double& scale, FloatRange& range, std::int32_t steps)
{
    constexpr float threshold = 6.1e-5F; // SMALL_SCALE_THRESHOLD, out of float16's subnormals
    if (!(scale < static_cast<double>(threshold)))
        return;
    const auto old = static_cast<float>(scale);
    scale = static_cast<double>(threshold);
    if (range.min == 0.0F)
        range.max = threshold * static_cast<float>(steps);
    else if (range.max == 0.0F)
        range.min = -threshold * static_cast<float>(steps);
    else {
        const float amplifier = threshold / old;
        range.min *= amplifier;
        range.max *= amplifier;
    }
}

/// The smallest range around the data that the symmetric grid covers.
FloatRange symmetricRange(const FloatRange& range, std::int32_t steps)
{
    const std::int32_t half = steps / 2;
    const auto low = static_cast<float>(-(half + 1));
    const auto high = static_cast<float>(half);
    const auto scale = static_cast<double>(std::max(std::abs(range.min / low), std::abs(range.max / high)));
    return {static_cast<float>(scale * static_cast<double>(low)),
            static_cast<float>(scale * static_cast<double>(high))};
}

} // namespace

ChosenQParams chooseQParams(float min, float max, std::int32_t quantMin, std::int32_t quantMax, bool symmetric)
{
    const std::int32_t steps = wrappedDifference(quantMax, quantMin);
    FloatRange range{min, max}; // fakequant_f6
    if (min < 0 && max > 0 && symmetric)
        range = symmetricRange(range, steps);
    range.min = std::min(range.min, 0.0F);
    range.max = std::max(range.max, 0.0F);
    double scale = (static_cast<double>(range.max) - static_cast<double>(range.min)) / steps;
    if (static_cast<float>(scale) == 0.0F || std::isinf(1.0F / static_cast<float>(scale)))
        scale = 0.1;
    cutOffSmallScale(scale, range, steps);
    const double low = static_cast<double>(range.min) / scale;
    const double high = static_cast<double>(range.max) / scale;
    const double errorFromMin = wrappedAbs(quantMin) + std::abs(low);
    const double errorFromMax = wrappedAbs(quantMax) + std::abs(high);
    double zeroPoint = errorFromMin < errorFromMax ? quantMin - low : quantMax - high;
    if (range.min < 0 && range.max > 0 && symmetric)
        zeroPoint = static_cast<double>(wrappedDifference(quantMin, wrappedDifference(0, quantMax))) / 2;
    if (zeroPoint < quantMin)
        return {scale, quantMin};
    if (zeroPoint > quantMax)
        return {scale, quantMax};
    return {scale, nearest(zeroPoint)};
}

FusedFakeQuantize::FusedFakeQuantize(std::shared_ptr<Observer> observer)
    : FakeQuantize(std::move(observer))
{
}

base::Result<std::shared_ptr<Observer>> FusedFakeQuantize::make(const Keywords& keywords,
                                                                const ObserverFactory& factory)
{
    GB_ASSIGN(std::shared_ptr<Observer> observer, makeInner(keywords, factory, 0, 255));
    if (!std::string_view(observer->typeName()).starts_with("MovingAverage"))
        return Error{ErrorCode::AssertionError,
                     "Fused observer+fake_quant module only works with MovingAverageMinMaxObserver",
                     {}};
    return std::shared_ptr<Observer>(new FusedFakeQuantize(std::move(observer)));
}

/// Before the first batch the buffers of a per-channel observer are empty; the op gives them their size.
base::Status FusedFakeQuantize::prepareChannels(const Tensor& x)
{
    if (!ir::isPerChannel(*settings().qscheme))
        return {};
    const std::int64_t axis = settings().chAxis.value_or(0);
    if (axis >= x.dim())
        return Error{
            ErrorCode::RuntimeError, "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()", {}};
    if (axis < 0)
        return Error{ErrorCode::RuntimeError,
                     "Per-channel FakeQuant in fused_moving_avg_obs_fake_quant is only supported on axis == 0",
                     {}};
    if (x.dim() == 1)
        return Error{
            ErrorCode::IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)", {}};
    if (average().range().min.elementCount() > 0)
        return {};
    const std::int64_t channels = x.size(axis);
    average().setRange({filled(channels, kInf), filled(channels, -kInf)});
    use({filled(channels, 1), Tensor::zeros(DType::Int32, {channels})});
    return {};
}

base::Status FusedFakeQuantize::updateRange(const Tensor& x, base::Pool* pool)
{
    if (x.dtype() != DType::Float32)
        return Error{
            ErrorCode::RuntimeError, say("expected scalar type Float but found {0}", scalarTypeName(x.dtype())), {}};
    MinMax current = aminmax(Tensor::scalar(0.0F));
    if (!ir::isPerChannel(*settings().qscheme)) {
        current = aminmax(x, pool);
    } else {
        if (settings().chAxis.value_or(0) != 0)
            return Error{ErrorCode::RuntimeError,
                         "Per-channel FakeQuant in fused_moving_avg_obs_fake_quant is only supported on axis == 0",
                         {}};
        GB_ASSIGN(current, aminmaxPerChannel(x, 0, pool));
    }
    average().setSeen(current);
    const MinMax& old = average().range();
    const auto constant = static_cast<float>(settings().averagingConstant.value_or(0.01));
    const auto averaged = [&](const Tensor& running, const Tensor& now) { // fakequant_f5
        Tensor out = running.clone();
        auto* to = out.mutableData<float>();
        const std::int64_t count = std::min(running.elementCount(), now.elementCount());
        for (std::int64_t i = 0; i < count; ++i) {
            const float value = now.data<float>()[i];
            to[i] = std::isinf(to[i]) ? value : to[i] + constant * (value - to[i]);
        }
        return out;
    };
    average().setRange({averaged(old.min, current.min), averaged(old.max, current.max)});
    return {};
}

void FusedFakeQuantize::chooseUsed()
{
    const MinMax& range = average().range();
    const bool symmetric = ir::isSymmetric(*settings().qscheme);
    const auto least = static_cast<std::int32_t>(*settings().quantMin);
    const auto most = static_cast<std::int32_t>(*settings().quantMax);
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    for (std::int64_t i = 0; i < range.min.elementCount(); ++i) {
        const ChosenQParams chosen =
            chooseQParams(range.min.data<float>()[i], range.max.data<float>()[i], least, most, symmetric);
        scale.push_back(static_cast<float>(chosen.scale));
        zeroPoint.push_back(chosen.zeroPoint);
    }
    use({Tensor::fromVector(scale), Tensor::fromVector(zeroPoint)});
}

base::Result<Tensor> FusedFakeQuantize::run(const Tensor& x, base::Pool* pool)
{
    countBatch();
    if (x.elementCount() == 0)
        return x;
    GB_TRY(prepareChannels(x));
    if (observerEnabled())
        GB_TRY(updateRange(x, pool));
    if (!fakeQuantEnabled())
        return x.clone();
    chooseUsed();
    return rounded(x);
}

} // namespace gb::quant
