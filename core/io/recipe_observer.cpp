// Reads an observer's class name and keyword arguments, of a recipe or an observer case.
#include "io/recipe_keys.h"
#include "quant/make_observer.h"

#include <algorithm>

namespace gb::io {
namespace {

using base::Result;
using ir::Argument;

/// A keyword argument of an observer: a plain value, or a constructor (FakeQuantize's observer).
Result<Argument> readArgument(const JsonCursor& at)
{
    const Json& value = at.json();
    if (value.is_null())
        return Argument();
    if (value.is_boolean())
        return Argument(value.get<bool>());
    if (value.is_number_integer()) {
        GB_ASSIGN(const std::int64_t number, at.integer());
        return Argument(number);
    }
    if (value.is_number_float())
        return Argument(value.get<double>());
    if (value.is_string())
        return Argument(value.get<std::string>());
    if (value.is_array()) {
        GB_ASSIGN(const auto items, at.items());
        std::vector<Argument> out;
        for (const JsonCursor& item : items) {
            GB_ASSIGN(Argument one, readArgument(item));
            out.push_back(std::move(one));
        }
        return Argument::list(std::move(out));
    }
    GB_TRY(allowKeys(at, {"observer", "args"}));
    GB_ASSIGN(ir::ObserverConstructor inner, readObserver(at, "args"));
    ir::Mapping out;
    out.items.emplace_back("observer", Argument(std::move(inner.name)));
    out.items.emplace_back("args", Argument(Argument::Value(ir::Mapping{std::move(inner.arguments)})));
    return Argument(Argument::Value(std::move(out)));
}

} // namespace

Result<ir::ObserverConstructor> readObserver(const JsonCursor& object, const char* argumentsKey)
{
    ir::ObserverConstructor out;
    GB_ASSIGN(const JsonCursor at, object.get("observer"));
    GB_ASSIGN(out.name, at.text());
    const std::vector<std::string> classes = quant::observerClasses();
    if (std::ranges::find(classes, out.name) == classes.end())
        return unknownName(at, "observer", out.name, std::vector<std::string_view>(classes.begin(), classes.end()));
    const auto arguments = member(object, argumentsKey);
    if (!arguments)
        return out;
    GB_ASSIGN(const auto members, arguments->members());
    for (const auto& [key, value] : members) {
        GB_ASSIGN(Argument argument, readArgument(value));
        out.arguments.emplace_back(key, std::move(argument));
    }
    return out;
}

} // namespace gb::io
