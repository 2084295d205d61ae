#include "quant/fake_quantize_kernel.h"

#include "base/message.h"
#include "ir/half.h"

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

const char* cppName(DType dtype)
{
    switch (dtype) {
    case DType::UInt8: return "Byte";
    case DType::Int8: return "Char";
    case DType::Int16: return "Short";
    case DType::Int32: return "Int";
    case DType::Int64: return "Long";
    case DType::Bool: return "Bool";
    default: return ir::name(dtype);
    }
}

/// Calls f with a loader and a storer of the elements of a floating dtype; Real is what torch multiplies in.
template <class F>
base::Result<Tensor> overElements(const Tensor& x, const char* kernel, F&& f)
{
    const Tensor source = x.contiguous();
    Tensor out = Tensor::empty(x.dtype(), x.shape());
    const auto run = [&]<class Element, class Real>(auto load, auto store) {
        const auto* from = source.data<Element>();
        auto* to = out.mutableData<Element>();
        f.template operator()<Real>([=](std::int64_t i) -> Real { return load(from[i]); },
                                    [=](std::int64_t i, auto value) { to[i] = store(value); });
    };
    switch (x.dtype()) {
    case DType::Float32:
        run.template operator()<float, float>([](float v) { return v; }, [](auto v) { return static_cast<float>(v); });
        return out;
    case DType::Float64:
        run.template operator()<double, double>([](double v) { return v; },
                                                [](auto v) { return static_cast<double>(v); });
        return out;
    case DType::Float16:
        run.template operator()<std::uint16_t, float>([](std::uint16_t v) { return ir::halfToFloat(v); },
                                                      [](auto v) { return ir::floatToHalf(static_cast<float>(v)); });
        return out;
    case DType::BFloat16:
        run.template operator()<std::uint16_t, float>(
            [](std::uint16_t v) { return ir::bfloat16ToFloat(v); },
            [](auto v) { return ir::floatToBfloat16(static_cast<float>(v)); });
        return out;
    default:
        return Error{
            ErrorCode::NotImplementedError, say("\"{0}\" not implemented for '{1}'", kernel, cppName(x.dtype())), {}};
    }
}

base::Status checkRange(std::int64_t quantMin, std::int64_t quantMax)
{
    if (quantMin <= quantMax)
        return {};
    return Error{ErrorCode::RuntimeError, "`quant_min` should be less than or equal to `quant_max`.", {}};
}

/// static_cast<int64_t> on the processor: what does not fit becomes the smallest.
template <class Real>
std::int64_t truncated(Real value)
{
    if (!(value >= static_cast<Real>(-9.2e18) && value < static_cast<Real>(9.2e18)))
        return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

/// std::fmin(std::fmax(q, quant_min), quant_max) of integers, which C++ does in double.
double clamped(std::int64_t q, std::int64_t quantMin, std::int64_t quantMax)
{
    return std::fmin(std::fmax(static_cast<double>(q), static_cast<double>(quantMin)), static_cast<double>(quantMax));
}

struct Channels {
    std::int64_t count = 1;
    std::int64_t inner = 1; ///< elements after the channel's axis
    std::vector<float> scale;
    std::vector<double> zeroPoint;
    bool floatZeroPoint = false;
    [[nodiscard]] std::size_t of(std::int64_t i) const { return static_cast<std::size_t>(i / inner % count); }
};

base::Result<Channels> checkChannels(const Tensor& x, const QParams& qparams, std::int64_t axis, std::int64_t quantMin,
                                     std::int64_t quantMax)
{
    const std::int64_t rank = std::max<std::int64_t>(x.dim(), 1);
    if (axis >= rank || axis < -rank)
        return Error{
            ErrorCode::IndexError,
            say("Dimension out of range (expected to be in range of [{0}, {1}], but got {2})", -rank, rank - 1, axis),
            {}};
    Channels channels;
    channels.count = x.dim() == 0 ? 1 : x.size(axis);
    for (const double value : qparams.scale.toDoubles())
        channels.scale.push_back(static_cast<float>(value));
    channels.zeroPoint = qparams.zeroPoint.toDoubles();
    channels.floatZeroPoint = ir::isFloatingPoint(qparams.zeroPoint.dtype());
    if (channels.scale.size() != channels.zeroPoint.size())
        return Error{ErrorCode::RuntimeError, "scale and zero-point need to have the same dimensions", {}};
    if (static_cast<std::int64_t>(channels.scale.size()) != channels.count)
        return Error{
            ErrorCode::RuntimeError, "dimensions of scale and zero-point are not consistent with input tensor", {}};
    GB_TRY(checkRange(quantMin, quantMax));
    for (const double value : channels.zeroPoint)
        if (!channels.floatZeroPoint
            && !(value >= static_cast<double>(quantMin) && value <= static_cast<double>(quantMax)))
            return Error{ErrorCode::RuntimeError, "`zero_point` must be between `quant_min` and `quant_max`.", {}};
    if (axis < 0)
        return Error{ErrorCode::RuntimeError, "`axis` must be between 0 and number of dimensions of input", {}};
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < x.shape().size(); ++i)
        channels.inner *= x.shape()[i];
    return channels;
}

} // namespace

base::Result<Tensor> fakeQuantizePerTensor(const Tensor& x, const QParams& qparams, std::int64_t quantMin,
                                           std::int64_t quantMax)
{
    GB_TRY(checkRange(quantMin, quantMax));
    const auto scale = static_cast<float>(qparams.scale.at(0));
    const auto zeroPoint = static_cast<std::int64_t>(qparams.zeroPoint.at(0));
    const float inverse = 1.0F / scale;
    const auto low = static_cast<double>(quantMin);
    const auto high = static_cast<double>(quantMax);
    const std::int64_t count = x.elementCount();
    return overElements(x, "fake_quantize_tensor_cachemask_kernel_type_handling",
                        [&]<class Real>(auto load, auto store) { // fakequant_f1
                            const auto zero = static_cast<Real>(zeroPoint);
                            for (std::int64_t i = 0; i < count; ++i) {
                                const Real q = zero + std::nearbyint(load(i) * static_cast<Real>(inverse));
                                const double cut = std::fmin(std::fmax(static_cast<double>(q), low), high);
                                store(i, static_cast<float>(static_cast<std::int64_t>(cut) - zeroPoint) * scale);
                            }
                        });
}

base::Result<Tensor> fakeQuantizePerChannel(const Tensor& x, const QParams& qparams, std::int64_t axis,
                                            std::int64_t quantMin, std::int64_t quantMax)
{
    GB_ASSIGN(const Channels channels, checkChannels(x, qparams, axis, quantMin, quantMax));
    const std::int64_t count = x.elementCount();
    return overElements(
        x, "fake_quantize_channel_cachemask_cpu_type_handling", [&]<class Real>(auto load, auto store) { // fakequant_f2
            for (std::int64_t i = 0; i < count; ++i) {
                const std::size_t channel = channels.of(i);
                const float scale = channels.scale[channel];
                const auto inverse = static_cast<Real>(1.0F / scale);
                const double zeroPoint = channels.zeroPoint[channel];
                if (channels.floatZeroPoint) {
                    const Real at = std::fma(load(i), inverse, static_cast<Real>(zeroPoint));
                    const std::int64_t q = truncated(std::nearbyint(static_cast<float>(at)));
                    store(i, (clamped(q, quantMin, quantMax) - zeroPoint) * static_cast<double>(scale));
                } else {
                    const Real at = static_cast<Real>(zeroPoint) + std::nearbyint(load(i) * inverse);
                    store(i, (clamped(truncated(at), quantMin, quantMax) - zeroPoint) * static_cast<double>(scale));
                }
            }
        });
}

} // namespace gb::quant
