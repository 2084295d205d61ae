#include "quant/qparams.h"

#include "base/message.h"
#include "quant/tensor_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Tensor;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// torch.max(a, b): NaN wins.
float maximum(float a, float b)
{
    return a != a || a > b ? a : b;
}

/// torch.round(x).to(torch.int): out of range and NaN give the smallest int32, as the conversion of the processor does.
std::int32_t roundToInt(float x)
{
    const float rounded = std::nearbyint(x);
    if (!(rounded >= -2147483648.0F && rounded < 2147483648.0F))
        return std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(rounded);
}

std::vector<float> floats(const Tensor& tensor)
{
    const Tensor packed = tensor.contiguous();
    return {packed.data<float>(), packed.data<float>() + packed.elementCount()};
}

struct Bounds {
    std::vector<float> min;
    std::vector<float> max;
};

QParams symmetric(const UniformConfig& config, const Bounds& bounds)
{
    const auto half = static_cast<float>(static_cast<double>(config.quantMax - config.quantMin) / 2);
    std::int64_t middle = 0;
    if (config.dtype.isUnsigned8())
        middle = config.customizedRange ? (config.quantMin + config.quantMax) >> 1 : 128;
    else if (config.dtype.name == "uint16")
        middle = 32768;
    std::vector<float> scale;
    for (std::size_t i = 0; i < bounds.min.size(); ++i) {
        const float low = std::min(bounds.min[i], 0.0F); // qparams_c3
        const float high = std::max(bounds.max[i], 0.0F);
        scale.push_back(maximum(maximum(-low, high) / half, config.eps)); // qparams_c4
    }
    return {Tensor::fromVector(scale), Tensor::fromVector(std::vector<std::int64_t>(scale.size(), middle))};
}

QParams floatQParams(const UniformConfig& config, const Bounds& bounds)
{
    const auto steps = static_cast<float>(config.quantMax - config.quantMin);
    std::vector<float> scale;
    std::vector<float> zeroPoint;
    for (std::size_t i = 0; i < bounds.min.size(); ++i) { // qparams_c5
        const float wide = (bounds.max[i] - bounds.min[i]) / steps;
        scale.push_back(wide > config.eps ? wide : 1.0F);
        zeroPoint.push_back(-1.0F * bounds.min[i] / scale.back());
    }
    return {Tensor::fromVector(scale), Tensor::fromVector(zeroPoint)};
}

base::Result<QParams> affine(const UniformConfig& config, const Bounds& bounds)
{
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (config.quantMin < least || config.quantMax > most)
        return Error{ErrorCode::RuntimeError, "value cannot be converted to type int without overflow", {}};
    const auto steps = static_cast<float>(config.quantMax - config.quantMin);
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    for (std::size_t i = 0; i < bounds.min.size(); ++i) { // qparams_c6
        const float low = std::min(bounds.min[i], 0.0F);
        const float high = std::max(bounds.max[i], 0.0F);
        scale.push_back(maximum((high - low) / steps, config.eps));
        const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(config.quantMin)
                                                       - static_cast<std::uint32_t>(roundToInt(low / scale.back())));
        zeroPoint.push_back(
            static_cast<std::int32_t>(std::clamp<std::int64_t>(wrapped, config.quantMin, config.quantMax)));
    }
    return QParams{Tensor::fromVector(scale), Tensor::fromVector(zeroPoint)};
}

} // namespace

QParams defaultQParams()
{
    return {Tensor::fromVector(std::vector<float>{1.0F}), Tensor::fromVector(std::vector<std::int64_t>{0})};
}

base::Result<QParams> calculateQParams(const UniformConfig& config, const Tensor& min, const Tensor& max)
{
    const Bounds bounds{floats(min), floats(max)};
    const bool scalar = min.dim() == 0;
    if (bounds.min.empty() || bounds.max.empty()) // qparams_c1
        return defaultQParams();
    if (scalar && bounds.min.front() == kInf && bounds.max.front() == -kInf)
        return defaultQParams();
    for (std::size_t i = 0; i < bounds.min.size(); ++i)
        if (!(bounds.min[i] <= bounds.max[i])) // qparams_c2
            return Error{ErrorCode::AssertionError,
                         say("min {0} should be less than max {1}", tensorText(min), tensorText(max)),
                         {}};
    if (ir::isSymmetric(config.qscheme))
        return symmetric(config, bounds);
    if (config.qscheme == ir::QScheme::PerChannelAffineFloatQParams)
        return floatQParams(config, bounds);
    return affine(config, bounds);
}

} // namespace gb::quant
