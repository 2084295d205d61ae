// What the two halves of the recipe reader share: keys that are checked against a list, typed members.
//
// Internal to io. Thread: pure functions.
#pragma once

#include "io/json.h"
#include "quantizers/recipe.h"

#include <initializer_list>
#include <span>
#include <string_view>

namespace gb::io {

/// "a, b or c"
std::string oneOf(std::span<const std::string_view> names);

/// Error (Usage) on the first key of an object that is not in the list; Format when this is no object.
base::Status allowKeys(const JsonCursor& object, std::initializer_list<std::string_view> keys);

/// Error (Usage): `what` "x" is not known, and which are.
base::Error unknownName(const JsonCursor& at, const std::string& what, const std::string& found,
                        std::span<const std::string_view> allowed);

/// The cursor of a member that may be null but must be there as a key only where the caller says so: nothing when
/// the key is absent, a cursor (perhaps on null) when it is there.
std::optional<JsonCursor> member(const JsonCursor& object, const char* key);

/// {"observer": class name, argumentsKey: {keyword: value}}; an argument may be a constructor itself. Errors: Format,
/// Usage (a class that torchao has not).
base::Result<ir::ObserverConstructor> readObserver(const JsonCursor& object, const char* argumentsKey);

/// `specs` and `rules` of a rules recipe.
base::Result<std::vector<quantizers::Rule>> readRules(const JsonCursor& recipe);

} // namespace gb::io
