// What stays where it is on the screen when all places change: unfolding everything, hiding, compact mode.
//
// Thread: pure.
#pragma once

#include "picture/picture.h"

namespace gb::views {

/// How far the camera moves from one picture to the next so that the selected node, where it is in `view` (in scene
/// pixels), else the node nearest to the view's middle stays. A node that is folded away is followed to the module that
/// stands for it. Null where the pictures have no node in common.
QPointF keptPlace(const Picture& before, const Picture& after, const QRectF& view, ir::NodeId selected);

} // namespace gb::views
