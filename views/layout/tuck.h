// Constants that stand beside their user: a weight, its observer or q/dq and the op that takes it are placed as one.
//
// A cell is tucked when everything that it feeds leads, through slots that nothing else feeds, to one op. Constants
// with several users stay on their own.
//
// Thread: pure functions.
#pragma once

#include "layout/union_graph.h"

#include <functional>

namespace gb::views {

struct Tucked {
    /// Of each cell: the cell that it stands beside, or its own number.
    std::vector<int> host;
    /// Of each host with tucked cells: its columns, left to right; each from the constant down to the last slot.
    std::map<int, std::vector<std::vector<int>>> columns;
};

/// `isConstant` says which cells hold constants only.
Tucked tuck(const UnionGraph& graph, const std::function<bool(int cell)>& isConstant);
/// Nothing is tucked.
Tucked tuckNothing(const UnionGraph& graph);

} // namespace gb::views
