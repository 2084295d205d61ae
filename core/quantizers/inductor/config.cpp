#include "quantizers/inductor/config.h"

namespace gb::quantizers::inductor {

using ir::Argument;
using ir::ObserverConstructor;
using ir::QuantizationSpec;

namespace {

Argument nested(const char* observer, std::vector<std::pair<std::string, Argument>> arguments)
{
    return Argument(Argument::Value(ir::Mapping{
        {{"observer", Argument(observer)}, {"args", Argument(Argument::Value(ir::Mapping{std::move(arguments)}))}}}));
}

ObserverConstructor activationObserver(bool isQat, bool isDynamic)
{
    ObserverConstructor out{"HistogramObserver", {{"eps", Argument(1.0 / 4096)}}};
    if (isQat && isDynamic) {
        out.name = "FakeQuantize";
        out.arguments.emplace_back("observer",
                                   nested("MovingAverageMinMaxObserver", {{"averaging_constant", Argument(1)}}));
    } else if (isQat) {
        out.name = "FusedMovingAvgObsFakeQuantize";
    } else if (isDynamic) {
        out.name = "PlaceholderObserver";
    }
    return out;
}

ObserverConstructor weightObserver(bool isQat, const char* observer, const char* innerObserver)
{
    ObserverConstructor out{isQat ? "FusedMovingAvgObsFakeQuantize" : observer, {{"eps", Argument(1.0 / 4096)}}};
    if (isQat)
        out.arguments.emplace_back("observer", nested(innerObserver, {}));
    return out;
}

QuantizationConfig config(QuantizationSpec activation, QuantizationSpec weight, bool isQat)
{
    QuantizationConfig out;
    activation.qscheme = ir::QScheme::PerTensorAffine;
    out.inputActivation = ir::makeSpec(std::move(activation));
    out.outputActivation = out.inputActivation;
    weight.dtype = ir::DType::Int8;
    weight.quantMin = -128;
    weight.quantMax = 127;
    out.weight = ir::makeSpec(std::move(weight));
    out.isQat = isQat;
    return out;
}

} // namespace

QuantizationConfig x86Config(const ConfigArguments& arguments)
{
    const bool isQat = arguments.flag("is_qat", false);
    QuantizationSpec activation;
    activation.isDynamic = arguments.flag("is_dynamic", false);
    activation.dtype = ir::DType::UInt8;
    activation.quantMin = 0;
    activation.quantMax = arguments.flag("reduce_range", false) ? 127 : 255;
    activation.observer = activationObserver(isQat, activation.isDynamic);
    QuantizationSpec weight;
    weight.qscheme = ir::QScheme::PerChannelSymmetric;
    weight.chAxis = 0;
    weight.observer = weightObserver(isQat, "PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver");
    return config(std::move(activation), std::move(weight), isQat);
}

QuantizationConfig armConfig(const ConfigArguments& arguments)
{
    const bool isQat = arguments.flag("is_qat", false);
    QuantizationSpec activation;
    activation.isDynamic = arguments.flag("is_dynamic", false);
    activation.dtype = ir::DType::Int8;
    activation.quantMin = -128;
    activation.quantMax = 127;
    activation.observer = activationObserver(isQat, activation.isDynamic);
    QuantizationSpec weight;
    weight.qscheme = ir::QScheme::PerTensorSymmetric;
    weight.observer = weightObserver(isQat, "MinMaxObserver", "MovingAverageMinMaxObserver");
    return config(std::move(activation), std::move(weight), isQat);
}

} // namespace gb::quantizers::inductor
