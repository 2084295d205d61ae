#include "quantizers/inductor/settings.h"

#include <algorithm>

namespace gb::quantizers::inductor {

using base::message;

namespace {

void assign(std::vector<std::pair<std::string, OptionalConfig>>& dict, const std::string& key, OptionalConfig config)
{
    const auto found = std::ranges::find(dict, key, [](const auto& entry) { return entry.first; });
    if (found == dict.end())
        dict.emplace_back(key, std::move(config));
    else
        found->second = std::move(config);
}

} // namespace

Settings::Settings(const Backend& backend, const Recipe& recipe)
    : m_makeConfig(backend.config)
{
    if (recipe.global) {
        OptionalConfig config = made(*recipe.global);
        if (!needSkip("global", config))
            m_global = std::move(config);
    }
    for (const auto& [name, config] : recipe.functionType)
        setType(backend, "function_type", name, config);
    for (const auto& [name, config] : recipe.moduleType)
        setType(backend, "module_type", name, config);
    for (const auto& [name, config] : recipe.moduleName) {
        OptionalConfig specs = made(config);
        if (!needSkip("module_name " + name, specs))
            assign(m_names, name, std::move(specs));
    }
}

OptionalConfig Settings::made(const Config& config) const
{
    return config ? OptionalConfig(m_makeConfig(*config)) : OptionalConfig();
}

void Settings::setType(const Backend& backend, const char* what, const std::string& name, const Config& config)
{
    OptionalConfig specs = made(config);
    const std::string setting = std::string(what) + " " + name;
    if (needSkip(setting, specs))
        return;
    const std::string_view op = backend.operatorFor(name);
    if (op.empty())
        m_skipped.push_back(
            message("the setting {0} is skipped: {1} cannot configure this type", setting, backend.className));
    else
        assign(m_types, std::string(op), std::move(specs));
}

bool Settings::needSkip(const std::string& setting, const OptionalConfig& config)
{
    if (!config)
        return false;
    // all configs that are there have one mode: the first non-None one tells it
    const QuantizationConfig* current = m_global ? &*m_global : nullptr;
    for (const auto* dict : {&m_types, &m_names})
        for (const auto& [key, other] : *dict)
            if (other)
                current = &*other;
    if (!current || (current->isQat == config->isQat && current->isDynamic() == config->isDynamic()))
        return false;
    const auto mode = [](const QuantizationConfig& c) {
        return std::string(c.isQat ? "qat" : "ptq") + (c.isDynamic() ? " dynamic" : " static");
    };
    m_skipped.push_back(
        message("the setting {0} is skipped: it is {1}, an earlier one is {2}, and modes cannot be mixed", setting,
                mode(*config), mode(*current)));
    return true;
}

} // namespace gb::quantizers::inductor
