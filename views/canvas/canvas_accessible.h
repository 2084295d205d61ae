// A canvas for screen readers: its boxes are children of it, with the words of ux (name, op, labels) as their names.
//
// Children are the boxes and open modules that the view shows, in graph order; they come and go as it moves. Thread:
// UI.
#pragma once

#include "ir/argument.h"

namespace gb::views {

class GraphCanvas;

/// Once a program, before the first canvas is asked about.
void installCanvasAccessibility();
/// Tells a screen reader that a box of the canvas has the focus.
void announceFocus(GraphCanvas* canvas, ir::NodeId node);

} // namespace gb::views
