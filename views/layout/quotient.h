// The graph that remains when cells are put together: an order in which producers come first, and what lies on a cycle.
//
// Thread: pure functions.
#pragma once

#include <utility>
#include <vector>

namespace gb::views {

struct QuotientOrder {
    std::vector<int> order;   ///< all items, producers first; ties by number
    std::vector<bool> cyclic; ///< of each item: it lies on a cycle with another one
};

/// `edges` between `count` items; those from an item to itself do not count.
QuotientOrder orderOf(int count, const std::vector<std::pair<int, int>>& edges);

} // namespace gb::views
