#include "quant/make_observer.h"

#include "base/message.h"
#include "quant/derived_observer.h"
#include "quant/fake_quantize.h"
#include "quant/fixed_qparams_observer.h"
#include "quant/fused_fake_quantize.h"
#include "quant/histogram_observer.h"
#include "quant/moving_average_min_max_observer.h"
#include "quant/moving_average_per_channel_min_max_observer.h"
#include "quant/passive_observer.h"

#include <array>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

using Made = base::Result<std::shared_ptr<Observer>>;

struct ClassEntry {
    const char* name;
    Made (*make)(const Keywords&);
};

Made makeByName(const Keywords& keywords);

Made makeFakeQuantize(const Keywords& keywords)
{
    return FakeQuantize::make(keywords, makeByName);
}

Made makeFixedFakeQuantize(const Keywords& keywords)
{
    return FakeQuantize::makeFixed(keywords, makeByName);
}

Made makeFusedFakeQuantize(const Keywords& keywords)
{
    return FusedFakeQuantize::make(keywords, makeByName);
}

constexpr std::array kClasses = {
    ClassEntry{"FakeQuantize", makeFakeQuantize},
    ClassEntry{"FixedQParamsFakeQuantize", makeFixedFakeQuantize},
    ClassEntry{"FixedQParamsObserver", FixedQParamsObserver::make},
    ClassEntry{"FusedMovingAvgObsFakeQuantize", makeFusedFakeQuantize},
    ClassEntry{"HistogramObserver", HistogramObserver::make},
    ClassEntry{"MinMaxObserver", MinMaxObserver::make},
    ClassEntry{"MovingAverageMinMaxObserver", MovingAverageMinMaxObserver::make},
    ClassEntry{"MovingAveragePerChannelMinMaxObserver", MovingAveragePerChannelMinMaxObserver::make},
    ClassEntry{"NoopObserver", PassiveObserver::make},
    ClassEntry{"PerChannelMinMaxObserver", PerChannelMinMaxObserver::make},
    ClassEntry{"PlaceholderObserver", PassiveObserver::make},
    ClassEntry{"RecordingObserver", PassiveObserver::make},
    ClassEntry{"ReuseInputObserver", PassiveObserver::make},
};

Made makeByName(const Keywords& keywords)
{
    for (const ClassEntry& entry : kClasses)
        if (keywords.className() == entry.name)
            return entry.make(keywords);
    if (keywords.className() == "UniformQuantizationObserverBase" || keywords.className() == "ObserverBase")
        return Error{ErrorCode::TypeError,
                     say("Can't instantiate abstract class {0} with abstract methods calculate_qparams, forward",
                         keywords.className()),
                     {}};
    std::string known;
    for (const std::string& name : observerClasses())
        known += (known.empty() ? "" : ", ") + name;
    return Error{ErrorCode::Usage, say("observer '{0}', one of {1} expected", keywords.className(), known), {}};
}

ir::Argument orNone(const std::optional<std::int64_t>& value)
{
    return value ? ir::Argument(*value) : ir::Argument();
}

ir::Argument orNone(const std::optional<ir::QScheme>& value)
{
    return value ? ir::Argument(ir::name(*value)) : ir::Argument();
}

} // namespace

std::vector<std::string> observerClasses()
{
    std::vector<std::string> names;
    for (const ClassEntry& entry : kClasses)
        names.emplace_back(entry.name);
    return names;
}

Made makeObserver(const ir::ObserverConstructor& ctr)
{
    return makeByName(Keywords(ctr.name, ctr.arguments));
}

Made makeObserver(const ir::QuantizationSpec& spec)
{
    Keywords keywords(spec.observer.name, spec.observer.arguments);
    keywords.set("dtype", spec.dtype);
    keywords.set("quant_min", orNone(spec.quantMin));
    keywords.set("quant_max", orNone(spec.quantMax));
    keywords.set("qscheme", orNone(spec.qscheme));
    if (spec.observer.name.find("PerChannel") != std::string::npos)
        keywords.set("ch_axis", orNone(spec.chAxis));
    keywords.set("is_dynamic", spec.isDynamic);
    return makeByName(keywords);
}

Made makeObserver(const ir::FixedQParamsQuantizationSpec& spec, bool isQat)
{
    Keywords::Items items = {
        {"dtype", spec.dtype},
        {"scale", spec.scale},
        {"zero_point", spec.zeroPoint},
        {"quant_min", orNone(spec.quantMin)},
        {"quant_max", orNone(spec.quantMax)},
        {"qscheme", orNone(spec.qscheme)},
        {"is_dynamic", spec.isDynamic},
    };
    if (!isQat)
        return makeByName(Keywords("FixedQParamsObserver", std::move(items)));
    ir::Mapping nested{{{"observer", "FixedQParamsObserver"}, {"args", ir::Argument(ir::Mapping{std::move(items)})}}};
    return makeByName(Keywords("FixedQParamsFakeQuantize", {{"observer", ir::Argument(std::move(nested))}}));
}

Made makeObserver(const ir::DerivedQuantizationSpec& spec, std::vector<std::shared_ptr<const Observer>> from)
{
    return DerivedObserver::make(spec, std::move(from));
}

} // namespace gb::quant
