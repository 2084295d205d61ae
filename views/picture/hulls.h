// Sharing groups as hulls: one shape behind all labels and observers of a group, with its number.
//
// A hull is made of the members' places and of bands between them, along the shortest tree that joins them, so that it
// covers little that is no member. Which label is in which group is what the picture says (picture/sharing.h).
//
// Thread: pure functions; paintHulls in the surface's thread.
#pragma once

#include "picture/painter.h"

#include <vector>

namespace gb::views {

struct Hull {
    int group = -1;
    std::vector<QRectF> members; ///< in scene pixels, in the picture's order
    QPainterPath outline;
    QRectF bounds; ///< with its name
};

/// One for each group with at least two places in the picture, by number.
std::vector<Hull> hullsOf(const Picture& picture);

/// Paints those that touch `clip` (empty: all); paint() does so where it is given hulls. `zoom` as in PaintOptions.
void paintHulls(Surface& surface, const std::vector<Hull>& hulls, const Theme& theme, const QRectF& clip = {},
                double zoom = 1);

} // namespace gb::views
