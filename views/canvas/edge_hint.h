// Where changed items are that the view does not show: an arrow at its edge, with their number.
//
// Thread: pure functions; paint in the UI thread.
#pragma once

#include "picture/picture.h"

#include <QPainter>

#include <vector>

namespace gb::views {

struct EdgeHint {
    QPointF at;    ///< middle of the hint, in widget pixels
    QPointF along; ///< of length 1: where the items are
    int count = 0;
    ir::NodeId nearest = ir::kNoNode; ///< what a click shows
    QRectF rect;                      ///< of the whole hint, at least 24 pixels high
    QString text;                     ///< "3 changes"
};

/// One hint for each side (left, top, right, bottom) that touched items lie beyond. `view` is what the canvas shows, in
/// scene pixels; `size` its size in widget pixels. No hint lies in `covered`, a corner of the widget (the minimap's).
std::vector<EdgeHint> edgeHints(const Picture& picture, const QRectF& view, const QSizeF& size,
                                const QRectF& covered = {});
void paintHint(QPainter& painter, const EdgeHint& hint, const Theme& theme);

} // namespace gb::views
