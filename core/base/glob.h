// Patterns with wildcards.
//
// Thread: pure functions.
#pragma once

#include <string_view>

namespace gb::base {

/// True when the whole text matches, without regard to ASCII case: * stands for any characters, ? for one.
bool globMatches(std::string_view pattern, std::string_view text);
/// True when the part stands anywhere in the text, without regard to ASCII case.
bool containsText(std::string_view text, std::string_view part);
/// "conv2d" of "aten.conv2d.default"; the text itself where it has no namespace.
std::string_view shortOpName(std::string_view target);

} // namespace gb::base
