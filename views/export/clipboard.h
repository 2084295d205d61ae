// A picture for the clipboard: SVG for programs that take it, PNG for the others.
//
// Thread: UI.
#pragma once

#include "picture/hulls.h"

#include <QMimeData>

#include <memory>

namespace gb::views {

/// "image/svg+xml" and an image of at most 4,000 pixels a side, twice the natural size where that fits; with the
/// sharing groups' hulls that are given.
std::unique_ptr<QMimeData> pictureData(const Picture& picture, ThemeKind theme, const std::vector<Hull>& hulls = {});

} // namespace gb::views
