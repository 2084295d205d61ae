// The forms that pictures are made of.
//
// Thread: pure functions.
#pragma once

#include "picture/picture.h"

#include <QPainterPath>

#include <initializer_list>
#include <vector>

namespace gb::views {

inline constexpr double kSlant = 14; ///< how far the sides of a trapezoid lean in
inline constexpr double kFold = 12;  ///< side of a folded corner

/// Closed.
QPainterPath polygon(std::initializer_list<QPointF> points);
QPainterPath outline(Form form, const QRectF& box);
/// 45° lines that end at the box's sides, so that no clip path is needed.
QPainterPath hatch(const QRectF& box);
/// A chain of cubic pieces.
QPainterPath curvePath(const std::vector<QPointF>& curve);

} // namespace gb::views
