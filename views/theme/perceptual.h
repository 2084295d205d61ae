// A colour bar for numbers: cividis, even to the eye, the same under colour-blind vision, and readable in greyscale.
//
// Thread: pure function.
#pragma once

#include <QColor>

namespace gb::views {

/// `position` from 0 (dark blue) to 1 (yellow); values outside are put to the ends.
QColor perceptual(double position);

} // namespace gb::views
