// Which sub-graphs a node stands for: the branches of a cond, the body of a loop or of a no_grad block.
//
// Thread: pure function.
#pragma once

#include "trace/replay.h"

#include <string>
#include <vector>

namespace gb::views {

/// Paths of the graphs that the node `id` of the graph `path` names (an attribute) or runs (an op that takes such
/// attributes), in the order of its arguments. Empty where there is no such node or it has none.
std::vector<std::string> subgraphsOf(const trace::Moment& moment, const std::string& path, ir::NodeId id);

} // namespace gb::views
