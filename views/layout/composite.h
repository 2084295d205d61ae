// An op with the constants that are tucked beside it, as one box: the constants above it, half of them at each side of
// a free lane in the middle, through which the other lines come in.
//
// Thread: pure functions.
#pragma once

#include "layout/layout.h"

#include <functional>
#include <utility>
#include <vector>

namespace gb::views {

struct Composite {
    double width = 0;
    double height = 0;
    std::vector<std::pair<int, Rect>> cells; ///< all that stand in it, the op last; relative to its top left corner
};

/// `columns` are the tucked cells, each column from the top down; `lines` is how many lines come in otherwise.
Composite compose(int host, const std::vector<std::vector<int>>& columns, int lines,
                  const std::function<Rect(int cell)>& extent);

} // namespace gb::views
