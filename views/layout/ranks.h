// The layer of every box: longest path from the sources.
//
// Thread: pure function.
#pragma once

#include "layout/layout.h"

namespace gb::views {

/// One rank a box, from 0. Edges that close a cycle do not count; a source stands right above its first user. Boxes
/// pinned to the top are alone in rank 0, those pinned to the bottom alone in the last one.
std::vector<int> ranks(const LayoutInput& input);

} // namespace gb::views
