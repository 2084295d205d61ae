#include "quant/passive_observer.h"

#include "base/message.h"
#include "quant/uniform_observer.h"

namespace gb::quant {
namespace {

ObserverSettings bareSettings(const QuantDType& dtype)
{
    ObserverSettings settings;
    settings.dtype = dtype.storage;
    settings.dtypeName = dtype.name;
    settings.isDynamic = false;
    settings.hasQuantRange = false;
    settings.hasQScheme = false;
    return settings;
}

base::Result<ObserverSettings> placeholderSettings(const Keywords& keywords)
{
    GB_TRY(keywords.allowOnly(
        {"dtype", "custom_op_name", "compute_dtype", "quant_min", "quant_max", "qscheme", "eps", "is_dynamic"},
        "PlaceholderObserver"));
    ObserverSettings settings =
        bareSettings(keywords.find("dtype") ? keywords.dtype() : quantDType(ir::DType::Float32));
    settings.hasQuantRange = true;
    settings.hasQScheme = true;
    settings.isDynamic = keywords.truth("is_dynamic");
    GB_ASSIGN(settings.quantMin, keywords.integer("quant_min", std::nullopt));
    GB_ASSIGN(settings.quantMax, keywords.integer("quant_max", std::nullopt));
    GB_ASSIGN(const auto scheme, keywords.qscheme("qscheme", std::nullopt));
    settings.qscheme = scheme.value_or(ir::QScheme::PerTensorAffine);
    settings.eps = static_cast<double>(UniformConfig{}.eps);
    const ir::Argument* eps = keywords.find("eps");
    if (eps && !eps->isNone()) {
        GB_ASSIGN(settings.eps, keywords.number("eps", 0));
    }
    return settings;
}

} // namespace

PassiveObserver::PassiveObserver(std::string typeName, ObserverSettings settings)
    : m_typeName(std::move(typeName))
    , m_settings(std::move(settings))
{
}

base::Result<std::shared_ptr<Observer>> PassiveObserver::make(const Keywords& keywords)
{
    const std::string& name = keywords.className();
    ObserverSettings settings = bareSettings(keywords.dtype());
    if (name == "PlaceholderObserver") {
        GB_ASSIGN(settings, placeholderSettings(keywords));
    } else if (name == "NoopObserver") {
        GB_TRY(keywords.allowOnly({"dtype", "custom_op_name"}, name));
        if (!keywords.find("dtype"))
            settings = bareSettings(quantDType(ir::DType::Float16));
    } else if (name == "RecordingObserver") {
        GB_TRY(keywords.allowOnly({"dtype"}, name));
    } else {
        GB_TRY(keywords.allowOnly({}, name));
    }
    return std::shared_ptr<Observer>(new PassiveObserver(name, std::move(settings)));
}

base::Result<ir::Tensor> PassiveObserver::run(const ir::Tensor& x, base::Pool*)
{
    ++m_batches;
    return x;
}

base::Result<QParams> PassiveObserver::calculateQParams() const
{
    return base::Error{
        base::ErrorCode::Exception, base::say("calculate_qparams should not be called for {0}", m_typeName), {}};
}

ObserverState PassiveObserver::state() const
{
    ObserverState state;
    state.batches = m_batches;
    addQParams(state, calculateQParams());
    return state;
}

} // namespace gb::quant
