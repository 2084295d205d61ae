// A picture on its way to another one, for the eye to follow what moves.
//
// Thread: pure.
#pragma once

#include "picture/picture.h"

namespace gb::views {

/// The nodes and lines that both pictures have, as `after` shows them, at `t` (0 to 1) of the way from their places in
/// `before` to those in `after`. `shift` is how far the camera moved from one to the other: at 0 everything stands on
/// the screen where it stood. A line keeps its ends at its boxes.
Picture between(const Picture& before, const Picture& after, QPointF shift, double t);

} // namespace gb::views
