// Pages of a fixed size, and how a picture is fitted on one.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"

#include <QRectF>
#include <QString>

namespace gb::views {

/// In scene pixels, 96 an inch: a text of 16 of them is 12 pt on a page at scale 1.
inline constexpr double kPointsAPixel = 0.75;

/// "16:9" (13.33 x 7.5 inches, as slides are), "4:3" (10 x 7.5), "square", "A4" and "A4-portrait", or millimetres
/// ("254x190"). Error: Usage for anything else, or a side below 20 or above 5,000 mm.
base::Result<QSizeF> pageSize(const QString& text);
/// The names that pageSize knows, in the order of a menu.
QStringList pageNames();

struct Fit {
    double scale = 1;
    QPointF offset; ///< of the scene's origin on the page, in page pixels
};
/// Puts `content` into the middle of `room`, as large as it goes but not beyond twice its size.
Fit fitInto(const QRectF& content, const QRectF& room);

} // namespace gb::views
