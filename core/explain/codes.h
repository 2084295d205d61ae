// The codes of reasons.md: verdict, and what would change it.
//
// Thread: pure functions.
#pragma once

#include "base/message.h"

#include <string>
#include <string_view>

namespace gb::explain {

/// "by design", "excluded", "not supported", "blocked", "problem" or "not recorded"; empty for an unknown code.
const char* verdictOf(std::string_view code);

/// What a user can do about it; empty where nothing has to change.
base::Message adviceFor(std::string_view code);

/// How much a code says about a node, the most telling first (0). Codes that it does not know come last.
int rankOf(std::string_view code);

} // namespace gb::explain
