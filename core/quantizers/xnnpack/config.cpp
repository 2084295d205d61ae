#include "quantizers/xnnpack/config.h"

namespace gb::quantizers::xnnpack {

using ir::Argument;
using ir::ObserverConstructor;
using ir::QuantizationSpec;

namespace {

constexpr double kEps = 1.0 / 4096; // 2**-12

Argument nested(const char* observer, std::vector<std::pair<std::string, Argument>> arguments)
{
    return Argument(ir::Mapping{
        {{"observer", Argument(observer)}, {"args", Argument(Argument::Value(ir::Mapping{std::move(arguments)}))}}});
}

ObserverConstructor activationObserver(bool isQat, bool isDynamic)
{
    ObserverConstructor out;
    out.arguments = {{"eps", Argument(kEps)}};
    if (isQat && isDynamic) {
        out.name = "FakeQuantize";
        out.arguments.emplace_back("observer",
                                   nested("MovingAverageMinMaxObserver", {{"averaging_constant", Argument(1)}}));
    } else if (isQat) {
        out.name = "FusedMovingAvgObsFakeQuantize";
    } else {
        out.name = isDynamic ? "PlaceholderObserver" : "HistogramObserver";
    }
    return out;
}

ObserverConstructor weightObserver(bool isQat, bool isPerChannel)
{
    ObserverConstructor out;
    out.arguments = {{"eps", Argument(kEps)}};
    if (isQat) {
        out.name = "FusedMovingAvgObsFakeQuantize";
        out.arguments.emplace_back(
            "observer",
            nested(isPerChannel ? "MovingAveragePerChannelMinMaxObserver" : "MovingAverageMinMaxObserver", {}));
    } else {
        out.name = isPerChannel ? "PerChannelMinMaxObserver" : "MinMaxObserver";
    }
    return out;
}

} // namespace

base::Result<QuantizationConfig> symmetricConfig(const ConfigArguments& arguments)
{
    const bool isPerChannel = arguments.flag("is_per_channel", false);
    const bool isQat = arguments.flag("is_qat", false);
    const bool isDynamic = arguments.flag("is_dynamic", false);

    QuantizationSpec activation;
    activation.dtype = ir::DType::Int8;
    activation.quantMin = arguments.number("act_qmin", -128);
    activation.quantMax = arguments.number("act_qmax", 127);
    activation.qscheme = ir::QScheme::PerTensorAffine;
    activation.isDynamic = isDynamic;
    activation.observer = activationObserver(isQat, isDynamic);
    GB_TRY(checkSpec(activation));

    QuantizationSpec weight;
    weight.dtype = ir::DType::Int8;
    weight.quantMin = arguments.number("weight_qmin", -127);
    weight.quantMax = arguments.number("weight_qmax", 127);
    weight.qscheme = isPerChannel ? ir::QScheme::PerChannelSymmetric : ir::QScheme::PerTensorSymmetric;
    weight.chAxis = 0;
    weight.observer = weightObserver(isQat, isPerChannel);
    GB_TRY(checkSpec(weight));

    QuantizationConfig out;
    out.inputActivation = ir::makeSpec(std::move(activation));
    out.outputActivation = isDynamic ? nullptr : out.inputActivation;
    out.weight = ir::makeSpec(std::move(weight));
    out.isQat = isQat;
    return out;
}

} // namespace gb::quantizers::xnnpack
