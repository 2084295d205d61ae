#include "numbers/what_if.h"

#include <string_view>

namespace gb::numbers {
namespace {

bool isMadeFromKeywords(std::string_view type)
{
    return type.find("Derived") == std::string_view::npos && type.find("Fixed") == std::string_view::npos;
}

} // namespace

ir::ObserverConstructor constructorOf(const quant::Observer& observer)
{
    const std::string type = observer.typeName();
    const std::string inner = observer.inner() ? observer.inner()->typeName() : type;
    if (!isMadeFromKeywords(type) || !isMadeFromKeywords(inner))
        return {};
    const quant::ObserverSettings& s = observer.settings();
    ir::ObserverConstructor out;
    out.name = type;
    const auto add = [&out](const char* name, ir::Argument value) {
        out.arguments.emplace_back(name, std::move(value));
    };
    if (observer.inner())
        add("observer", inner);
    if (s.dtype)
        add("dtype", *s.dtype);
    else
        add("dtype", s.dtypeName);
    if (s.qscheme)
        add("qscheme", std::string(ir::name(*s.qscheme)));
    if (s.quantMin && s.quantMax) {
        add("quant_min", *s.quantMin);
        add("quant_max", *s.quantMax);
    }
    if (s.eps)
        add("eps", *s.eps);
    if (s.chAxis && inner.find("PerChannel") != std::string::npos)
        add("ch_axis", *s.chAxis);
    if (s.averagingConstant)
        add("averaging_constant", *s.averagingConstant);
    if (s.bins)
        add("bins", *s.bins);
    if (s.isDynamic.value_or(false))
        add("is_dynamic", true);
    return out;
}

} // namespace gb::numbers
