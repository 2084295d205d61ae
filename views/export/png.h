// PNG of a picture at 1 to 4 pixels a scene pixel.
//
// Thread: any.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QImage>
#include <QSize>

namespace gb::views {

/// Error: Usage where a picture would have too many pixels: it is refused by name, not by running out of memory.
base::Status fitsPng(const QSize& size);
/// With the resolution that makes it as large as the picture. Error: Io.
base::Result<QByteArray> encodePng(QImage image, double scale);

} // namespace gb::views
