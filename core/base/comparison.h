// Comparisons of numbers as searches and breakpoints spell them.
//
// Thread: pure function.
#pragma once

#include <string_view>

namespace gb::base {

/// value HOW with, where how is ">", ">=", "<", "<=", or else equality.
bool compares(double value, std::string_view how, double with);

} // namespace gb::base
