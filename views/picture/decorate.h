// What is counted and laid over a picture once its boxes stand.
//
// Thread: pure functions.
#pragma once

#include "picture/group_text.h"
#include "picture/picture.h"

#include <vector>

namespace gb::views {

class Scene;

/// Counts of every group of the module tree, from the nodes that are there at a moment.
std::vector<GroupFacts> countGroups(const Scene& scene, const trace::GraphMoment& facts);
/// What is new since `before`, what has another label or other inputs, which ghost was there.
void markChanges(Picture& picture, const ir::Graph& before, const ir::Graph& now);
/// Gives the nodes of a picture their values. A null overlay changes nothing.
void layOver(Picture& picture, const OverlayPtr& overlay, const std::unordered_map<ir::NodeId, ir::NodeId>& shownAs);

} // namespace gb::views
