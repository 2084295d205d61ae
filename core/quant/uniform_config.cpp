#include "quant/uniform_config.h"

#include "base/message.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

constexpr std::array<std::string_view, 8> kUniformKeywords = {
    "dtype", "qscheme", "reduce_range", "quant_min", "quant_max", "factory_kwargs", "eps", "is_dynamic",
};

constexpr const char* kAllowedDTypes =
    "Default Observer only works for (torch.qint8, torch.quint8, torch.quint4x2, torch.qint32, torch.int8, "
    "torch.uint8, torch.int16, torch.int32, torch.float8_e5m2, torch.float8_e4m3fn, torch.uint16) data type";

Error assertion(const char* sentence)
{
    return {ErrorCode::AssertionError, sentence, {}};
}

std::int64_t floorHalf(std::int64_t value)
{
    return value >> 1;
}

/// calculate_qmin_qmax without a range of the user's own (qparams_c7).
Range defaultRange(const QuantDType& dtype, bool reduceRange)
{
    if (dtype.isSigned8())
        return reduceRange ? Range{-64, 63} : Range{-128, 127};
    if (dtype.isUnsigned8())
        return reduceRange ? Range{0, 127} : Range{0, 255};
    if (dtype.isSigned32())
        return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    if (dtype.name == "uint16")
        return {0, 65535};
    if (dtype.name == "int16")
        return {-32768, 32767};
    return {0, 15};
}

/// validate_qmin_qmax and calculate_qmin_qmax for a range of the user's own.
base::Result<Range> customRange(std::int64_t least, std::int64_t most, const QuantDType& dtype, bool reduceRange)
{
    if (!(least <= 0 && 0 <= most))
        return assertion("Used-specified quantization range must include 0.");
    if (!(least < most))
        return assertion("qmin must be strictly less than qmax for user-specified quantization range.");
    constexpr std::int64_t limit = std::int64_t{1} << 40; // a length beyond it is refused or unused anyway
    const std::int64_t length = std::min(most, limit) - std::max(least, -limit) + 1;
    if (dtype.isSigned8() && length > 256)
        return assertion("quantization range should be positive and not exceed the maximum bit range (=256).");
    if (dtype.isSigned32() && length > (std::int64_t{1} << 32))
        return assertion("quantization range should be positive and not exceed the maximum bit range (=4294967296).");
    return reduceRange ? Range{floorHalf(least), floorHalf(most)} : Range{least, most};
}

base::Status refuseUnknown(const Keywords& keywords, std::initializer_list<std::string_view> own)
{
    for (const auto& [name, value] : keywords.items()) {
        const bool known = std::find(kUniformKeywords.begin(), kUniformKeywords.end(), name) != kUniformKeywords.end()
                           || std::find(own.begin(), own.end(), name) != own.end();
        if (!known)
            return Error{ErrorCode::TypeError,
                         say("ObserverBase.__init__() got an unexpected keyword argument '{0}'", name),
                         {}};
        if (name == "factory_kwargs" && !value.isNone())
            return Error{ErrorCode::Unsupported,
                         say("{0}: factory_kwargs is not supported, only None", keywords.className()),
                         {}};
    }
    return {};
}

base::Result<float> readEps(const Keywords& keywords, float otherwise)
{
    const ir::Argument* value = keywords.find("eps");
    if (value && value->isNone())
        return Error{ErrorCode::RuntimeError, "Could not infer dtype of NoneType", {}};
    GB_ASSIGN(const double eps, keywords.number("eps", static_cast<double>(otherwise)));
    return static_cast<float>(eps);
}

} // namespace

base::Result<UniformConfig> makeUniformConfig(const Keywords& keywords, ir::QScheme defaultScheme,
                                              std::initializer_list<std::string_view> own)
{
    GB_TRY(refuseUnknown(keywords, own));
    UniformConfig config;
    config.dtype = keywords.dtype();
    config.isDynamic = keywords.truth("is_dynamic");
    config.reduceRange = keywords.truth("reduce_range");
    GB_ASSIGN(config.eps, readEps(keywords, config.eps));
    GB_ASSIGN(const std::optional<ir::QScheme> scheme, keywords.qscheme("qscheme", defaultScheme));
    config.qscheme = scheme.value_or(defaultScheme); // None does not get past requirePerTensor and requirePerChannel
    if (!isObservable(config.dtype))
        return assertion(kAllowedDTypes);
    GB_ASSIGN(const std::optional<std::int64_t> least, keywords.integer("quant_min", std::nullopt));
    GB_ASSIGN(const std::optional<std::int64_t> most, keywords.integer("quant_max", std::nullopt));
    config.customizedRange = least && most;
    Range range = defaultRange(config.dtype, config.reduceRange);
    if (config.customizedRange) {
        GB_ASSIGN(range, customRange(*least, *most, config.dtype, config.reduceRange));
    }
    config.quantMin = range.least;
    config.quantMax = range.most;
    return config;
}

ObserverSettings settingsOf(const UniformConfig& config)
{
    ObserverSettings settings;
    settings.dtype = config.dtype.storage;
    settings.dtypeName = config.dtype.name;
    settings.qscheme = config.qscheme;
    settings.quantMin = config.quantMin;
    settings.quantMax = config.quantMax;
    settings.isDynamic = config.isDynamic;
    settings.eps = static_cast<double>(config.eps);
    return settings;
}

namespace {

/// The runs of blanks stand in torchao's own sentences.
std::string perTensorSentence(const Keywords& keywords, const std::optional<ir::QScheme>& scheme)
{
    const std::string& name = keywords.className();
    if (name == "MovingAverageMinMaxObserver")
        return name
               + "'s qscheme only support                 torch.per_tensor_symmetric and "
                 "torch.per_tensor_affine.                 but got: "
               + (scheme ? "torch." + std::string(ir::name(*scheme)) : "None");
    return name + "'s qscheme only support torch.per_tensor_symmetric                     and torch.per_tensor_affine.";
}

} // namespace

base::Status requirePerTensor(const Keywords& keywords)
{
    GB_ASSIGN(const auto scheme, keywords.qscheme("qscheme", ir::QScheme::PerTensorAffine));
    if (scheme && !ir::isPerChannel(*scheme))
        return {};
    return Error{ErrorCode::NotImplementedError, perTensorSentence(keywords, scheme), {}};
}

base::Status requirePerChannel(const Keywords& keywords)
{
    GB_ASSIGN(const auto scheme, keywords.qscheme("qscheme", ir::QScheme::PerChannelAffine));
    if (scheme && ir::isPerChannel(*scheme))
        return {};
    return Error{ErrorCode::NotImplementedError,
                 keywords.className()
                     + "'s qscheme only support                     torch.per_channel_symmetric, "
                       "torch.per_channel_affine and torch.per_channel_affine_float_qparams.",
                 {}};
}

base::Status refuseDynamic(const Keywords& keywords)
{
    if (!keywords.truth("is_dynamic"))
        return {};
    return Error{ErrorCode::NotImplementedError, keywords.className() + " doesn't support dynamic quantization", {}};
}

base::Status refuseReducedSymmetric(const UniformConfig& config)
{
    if (!ir::isSymmetric(config.qscheme) || !config.reduceRange || config.dtype.name != "quint8")
        return {};
    return Error{ErrorCode::NotImplementedError,
                 ir::isPerChannel(config.qscheme)
                     ? "Cannot reduce range for symmetric quantization for quint8"
                     : "Cannot reduce range for symmetric                                        quantization for "
                       "quint8",
                 {}};
}

} // namespace gb::quant
