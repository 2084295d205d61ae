// Lines: chains of cubic pieces, and where along a side they end.
//
// Thread: pure functions.
#pragma once

#include "layout/layout.h"

namespace gb::views {

/// Straight where two points stand above each other, an S else. An edge that closes a cycle swings out.
Curve smooth(const std::vector<Point>& through);
/// A smooth line from `from` down to `to` whose first and last piece run straight down, so that moveStart and moveEnd
/// can be used on it.
Curve straightLine(Point from, Point to);

/// Puts the first, or the last, straight piece of a line that has both at another x.
void moveStart(Curve& curve, double x);
void moveEnd(Curve& curve, double x);

/// Places of lines along a side, near where they come from and apart. `wanted` is ascending; one line stands in the
/// middle.
std::vector<double> spreadPorts(std::vector<double> wanted, double left, double right);

} // namespace gb::views
