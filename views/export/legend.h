// What the forms, lines and signs of a picture mean, as a strip that is put below it.
//
// Thread: pure functions (fonts need a QGuiApplication).
#pragma once

#include "picture/painter.h"

#include <vector>

namespace gb::views {

/// Only what occurs in the picture is explained. `width` is what there is; entries go on in further rows.
double legendHeight(const std::vector<PicturePtr>& pictures, double width);
void paintLegend(Surface& surface, const std::vector<PicturePtr>& pictures, const Theme& theme, QPointF topLeft,
                 double width);

} // namespace gb::views
