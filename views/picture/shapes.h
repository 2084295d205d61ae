// The forms that pictures are made of.
//
// Thread: pure functions.
#pragma once

#include "picture/picture.h"

#include <QLineF>
#include <QList>
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
/// Lengthens a chain of cubic pieces by one that leaves and arrives straight down.
void lineTo(std::vector<QPointF>& curve, QPointF to);
/// A line from the right side of one box into the left side of another.
std::vector<QPointF> sideways(const QRectF& from, const QRectF& to);
/// The pieces of a chain that are seen between the top and the bottom of `clip`, and `reach` beyond: dashes along a
/// line of a million pixels would take seconds. Straight pieces are shortened, too.
std::vector<QPointF> cutTo(const std::vector<QPointF>& curve, const QRectF& clip, double reach);
/// The same as straight lines; pieces that go sideways by less than `straight` become one each.
void flatten(const std::vector<QPointF>& curve, const QRectF& clip, double straight, QList<QLineF>& out);
/// A chain of cubic pieces.
QPainterPath curvePath(const std::vector<QPointF>& curve);

} // namespace gb::views
