// How an item that is new, changed or gone since another moment is marked.
//
// Thread: the surface's.
#pragma once

#include "picture/painter.h"

namespace gb::views {

/// + in a blue outline, a delta in a dark one, - in a dashed one at a ghost; nothing for Change::None. `px` is a pixel
/// of the screen, in scene pixels.
void paintChange(Surface& surface, const NodeItem& node, const Theme& theme, double px);

} // namespace gb::views
