// The part of a picture that lies in a rectangle: what the window shows, on a slide.
//
// Thread: pure function.
#pragma once

#include "picture/picture.h"

namespace gb::views {

/// Boxes that lie in `area` by more than half stay, with the lines between them; frames of modules are cut at its edge.
/// The bounds are those of what is left. Places stay where they are. Null where nothing is left.
PicturePtr cropped(const Picture& picture, const QRectF& area);

} // namespace gb::views
