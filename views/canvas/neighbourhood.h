// Who feeds whom in a picture: tracing up and down, and what lies within some steps.
//
// Thread: pure functions. Each call is linear in the picture's lines at most.
#pragma once

#include "picture/picture.h"

#include <unordered_set>

namespace gb::views {

using NodeSet = std::unordered_set<ir::NodeId>;
enum class Direction : unsigned char { Up, Down, Both };

/// `from` and all that is at most `steps` lines away. Modules count as what they stand for; a frame (an open module)
/// stands for what is in it.
NodeSet within(const Picture& picture, const NodeSet& from, Direction direction, int steps);
/// `from` and everything that it is made from, or that is made from it.
NodeSet reachable(const Picture& picture, const NodeSet& from, Direction direction);

/// The node that the walk along lines goes to from `from`: the one that stands closest to straight above or below. Null
/// where there is none.
const NodeItem* alongEdges(const Picture& picture, const NodeItem& from, bool down);
/// The next node to the side whose height range meets this one's.
const NodeItem* beside(const Picture& picture, const NodeItem& from, bool right);
/// The next or previous one of the same module, in graph order, around at the end.
const NodeItem* sibling(const Picture& picture, const NodeItem& from, bool next);

} // namespace gb::views
