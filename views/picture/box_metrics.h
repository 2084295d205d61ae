// How large a node's box and strip have to be for its texts, and where each text stands inside.
//
// Thread: any (fonts need a QGuiApplication).
#pragma once

#include "picture/node_text.h"

#include <QSizeF>

namespace gb::views {

struct BoxSize {
    QSizeF box;       ///< without the strip
    double strip = 0; ///< height of the label strip below it; 0 where there are no labels
    double stripWidth = 0;
};

/// Room for everything at full detail; texts beyond the widest allowed box are elided.
BoxSize measure(const NodeText& text);

/// Puts texts, labels, badge and sparkline of `text` into `item`, whose box is set. The strip goes flush below the box.
void fill(NodeItem& item, const NodeText& text);

} // namespace gb::views
