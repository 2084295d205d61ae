#include "quantizers/recipe.h"

namespace gb::quantizers {

bool ConfigArguments::flag(std::string_view name, bool fallback) const
{
    for (const auto& [key, value] : items)
        if (key == name)
            if (const bool* found = value.as<bool>())
                return *found;
    return fallback;
}

std::int64_t ConfigArguments::number(std::string_view name, std::int64_t fallback) const
{
    for (const auto& [key, value] : items)
        if (key == name)
            if (const std::int64_t* found = value.as<std::int64_t>())
                return *found;
    return fallback;
}

} // namespace gb::quantizers
