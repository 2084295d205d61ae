// A picture as a Graphviz file, for people who style it on: nodes by name, forms and colours by role, label lines as
// text.
//
// Thread: pure functions.
#pragma once

#include "picture/picture.h"

#include <QByteArray>

namespace gb::views {

/// One node statement a node and one edge statement an argument, in graph order. Ghosts are dashed.
QByteArray toDot(const Picture& picture, const Theme& theme, const QString& title);

} // namespace gb::views
