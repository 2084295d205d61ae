#include "numbers/observer_sites.h"

#include "quant/observer.h"

#include <algorithm>
#include <map>

namespace gb::numbers {
namespace {

using base::message;

std::optional<Extremes> representable(const quant::Observer& observer)
{
    const quant::ObserverSettings& s = observer.settings();
    const quant::ObserverState state = observer.state();
    if (!s.quantMin || !s.quantMax || !state.qparams || state.qparams->scale.elementCount() != 1)
        return std::nullopt;
    const double scale = state.qparams->scale.at(0);
    const double zeroPoint = state.qparams->zeroPoint.at(0);
    return Extremes{(static_cast<double>(*s.quantMin) - zeroPoint) * scale,
                    (static_cast<double>(*s.quantMax) - zeroPoint) * scale};
}

ObserverSite siteFor(const std::string& target, const quant::Observer& observer)
{
    ObserverSite out;
    out.target = target;
    out.observer = constructorOf(observer);
    out.type = observer.typeName();
    const quant::ObserverSettings& s = observer.settings();
    out.perTensor = s.qscheme && !ir::isPerChannel(*s.qscheme) && s.dtype;
    if (out.perTensor)
        out.range = representable(observer);
    return out;
}

const ir::Argument* argumentOf(const ir::ObserverConstructor& observer, const std::string& key)
{
    const auto found = std::ranges::find(observer.arguments, key, &std::pair<std::string, ir::Argument>::first);
    return found == observer.arguments.end() ? nullptr : &found->second;
}

std::string valueText(const ir::Argument& value)
{
    if (const auto* text = value.as<std::string>())
        return *text;
    if (const auto* number = value.as<std::int64_t>())
        return std::to_string(*number);
    if (const auto* number = value.as<double>())
        return base::shortNumber(*number);
    if (const auto* flag = value.as<bool>())
        return *flag ? "True" : "False";
    if (const auto* dtype = value.as<ir::DType>())
        return ir::name(*dtype);
    return "...";
}

} // namespace

std::vector<ObserverSite> observerSites(const Material& material)
{
    const ir::GraphModule& model = *material.calibrated->module;
    std::vector<ObserverSite> out;
    std::map<const ir::Module*, std::size_t> known;
    for (const ir::Node* node = model.graph().first(); node; node = node->next()) {
        if (node->op() != ir::Op::CallModule)
            continue;
        const auto observer = std::dynamic_pointer_cast<quant::Observer>(model.module(node->target()));
        if (!observer)
            continue;
        const auto [at, isNew] = known.try_emplace(observer.get(), out.size());
        if (isNew)
            out.push_back(siteFor(node->target(), *observer));
        ObserverSite& site = out[at->second];
        site.observed.push_back(node->arg(0).nodeId());
        for (const ir::Node* user : node->users())
            site.users.push_back(user->id());
    }
    return out;
}

int siteOf(const std::vector<ObserverSite>& sites, ir::NodeId node)
{
    for (const auto part : {&ObserverSite::observed, &ObserverSite::users})
        for (std::size_t i = 0; i < sites.size(); ++i)
            if (std::ranges::find(sites[i].*part, node) != (sites[i].*part).end())
                return static_cast<int>(i);
    return -1;
}

base::Message changeWords(const Change& change, const ir::ObserverConstructor& before)
{
    switch (change.kind) {
    case Change::Kind::FloatOp: return message("{0} in float", change.site);
    case Change::Kind::FloatObserver: return message("{0}: not quantized", change.site);
    case Change::Kind::Range: return message("{0}: range {1} to {2}", change.site, change.min, change.max);
    case Change::Kind::Observer: break;
    }
    std::string differs;
    for (const auto& [key, value] : change.observer.arguments) {
        const ir::Argument* old = argumentOf(before, key);
        if (!old || !(*old == value))
            differs += (differs.empty() ? "" : ", ") + key + "=" + valueText(value);
    }
    if (differs.empty())
        return message("{0}: {1}", change.site, change.observer.name);
    return message("{0}: {1}({2})", change.site, change.observer.name, differs);
}

ir::ObserverConstructor completed(ir::ObserverConstructor wanted, const ir::ObserverConstructor& old)
{
    const auto take = [&](const char* key) {
        const ir::Argument* value = argumentOf(old, key);
        if (value && !argumentOf(wanted, key))
            wanted.arguments.emplace_back(key, *value);
    };
    const ir::Argument* dtype = argumentOf(wanted, "dtype");
    const ir::Argument* oldType = argumentOf(old, "dtype");
    const bool otherRange =
        argumentOf(wanted, "reduce_range") || (dtype && oldType && valueText(*dtype) != valueText(*oldType));
    take("dtype");
    const bool perChannel = wanted.name.find("PerChannel") != std::string::npos;
    if (const ir::Argument* scheme = argumentOf(old, "qscheme"); scheme && !argumentOf(wanted, "qscheme")) {
        const std::string* name = scheme->as<std::string>();
        const bool symmetric = name && name->find("symmetric") != std::string::npos;
        wanted.arguments.emplace_back("qscheme", std::string(perChannel ? "per_channel" : "per_tensor")
                                                     + (symmetric ? "_symmetric" : "_affine"));
    }
    if (!otherRange) {
        take("quant_min");
        take("quant_max");
    }
    take("eps");
    if (perChannel)
        take("ch_axis");
    return wanted;
}

} // namespace gb::numbers
