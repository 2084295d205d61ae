// Which ops run sub-graphs.
//
// Thread: pure functions.
#pragma once

#include <string_view>

namespace gb::ops {

/// cond, while_loop, scan, map_impl and the wrap_with_ ones: their results may be their operands.
bool runsSubgraphs(std::string_view target);

} // namespace gb::ops
