// What observers saw over all batches.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "explain/sharing.h"
#include "explain/view.h"

namespace gb::explain {

/// By observer node; absent where the recording has no range (a fake quantize, a run without batches).
std::map<ir::NodeId, SeenRange> seenByObserver(const RunView& run);
/// By the label that an observer stands for, those that reuse it included.
std::map<ir::Position, SeenRange> seenByPosition(const RunView& run);
/// By observer node: the labels that it stands for, the one that asked for it first.
std::map<ir::NodeId, std::vector<ir::Position>> positionsOf(const RunView& run);

} // namespace gb::explain
