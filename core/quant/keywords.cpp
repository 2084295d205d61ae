#include "quant/keywords.h"

#include "base/message.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::quant {

using base::Error;
using base::ErrorCode;
using base::say;

Keywords::Keywords(std::string className, Items items)
    : m_className(std::move(className))
    , m_items(std::move(items))
{
}

const ir::Argument* Keywords::find(std::string_view name) const
{
    for (const auto& [key, value] : m_items)
        if (key == name)
            return &value;
    return nullptr;
}

void Keywords::set(const std::string& name, ir::Argument value)
{
    for (auto& [key, old] : m_items)
        if (key == name) {
            old = std::move(value);
            return;
        }
    m_items.emplace_back(name, std::move(value));
}

void Keywords::erase(std::string_view name)
{
    std::erase_if(m_items, [&](const auto& item) { return item.first == name; });
}

base::Status Keywords::allowOnly(std::initializer_list<std::string_view> names, const std::string& function) const
{
    for (const auto& [key, value] : m_items)
        if (std::find(names.begin(), names.end(), key) == names.end())
            return Error{ErrorCode::TypeError,
                         say("{0}.__init__() got an unexpected keyword argument '{1}'", function, key),
                         {}};
    return {};
}

base::Status Keywords::require(std::initializer_list<const char*> names) const
{
    std::vector<std::string> missing;
    for (const char* name : names)
        if (!find(name))
            missing.push_back("'" + std::string(name) + "'");
    if (missing.empty())
        return {};
    std::string list = missing.front();
    for (std::size_t i = 1; i < missing.size(); ++i)
        list += (i + 1 == missing.size() ? " and " : ", ") + missing[i];
    return Error{ErrorCode::TypeError,
                 say("{0}.__init__() missing {1} required positional argument{2}: {3}", m_className, missing.size(),
                     missing.size() > 1 ? "s" : "", list),
                 {}};
}

base::Result<std::optional<std::int64_t>> Keywords::integer(std::string_view name,
                                                            std::optional<std::int64_t> otherwise) const
{
    const ir::Argument* value = find(name);
    if (!value)
        return otherwise;
    if (value->isNone())
        return std::optional<std::int64_t>{};
    if (const auto* integer = value->as<std::int64_t>())
        return std::optional{*integer};
    if (const auto* flag = value->as<bool>())
        return std::optional<std::int64_t>{*flag ? 1 : 0};
    return Error{ErrorCode::TypeError, say("{0}: {1} takes an integer or None", m_className, name), {}};
}

base::Result<double> Keywords::number(std::string_view name, double otherwise) const
{
    const ir::Argument* value = find(name);
    if (!value)
        return otherwise;
    if (const auto* real = value->as<double>())
        return *real;
    if (const auto* integer = value->as<std::int64_t>())
        return static_cast<double>(*integer);
    if (const auto* flag = value->as<bool>())
        return *flag ? 1.0 : 0.0;
    if (const auto* text = value->as<std::string>()) { // how JSON files spell what JSON has no number for
        if (*text == "inf" || *text == "-inf")
            return (*text == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
        if (*text == "nan")
            return std::numeric_limits<double>::quiet_NaN();
    }
    return Error{ErrorCode::TypeError, say("{0}: {1} takes a number", m_className, name), {}};
}

base::Result<std::optional<ir::QScheme>> Keywords::qscheme(std::string_view name,
                                                           std::optional<ir::QScheme> otherwise) const
{
    const ir::Argument* value = find(name);
    if (!value)
        return otherwise;
    if (value->isNone())
        return std::optional<ir::QScheme>{};
    if (const auto* text = value->as<std::string>()) {
        const std::string_view known = text->starts_with("torch.") ? std::string_view(*text).substr(6) : *text;
        if (const auto scheme = ir::qschemeFromName(known))
            return std::optional{*scheme};
        return Error{ErrorCode::TypeError, say("{0}: {1} '{2}' is no qscheme of torch", m_className, name, *text), {}};
    }
    return Error{ErrorCode::TypeError, say("{0}: {1} takes the name of a qscheme", m_className, name), {}};
}

bool Keywords::truth(std::string_view name, bool otherwise) const
{
    const ir::Argument* value = find(name);
    if (!value)
        return otherwise;
    if (const auto* flag = value->as<bool>())
        return *flag;
    if (const auto* integer = value->as<std::int64_t>())
        return *integer != 0;
    if (const auto* real = value->as<double>())
        return *real != 0;
    if (const auto* text = value->as<std::string>())
        return !text->empty();
    return !value->isNone();
}

QuantDType Keywords::dtype() const
{
    const ir::Argument* value = find("dtype");
    return value ? quantDType(*value) : QuantDType{};
}

} // namespace gb::quant
