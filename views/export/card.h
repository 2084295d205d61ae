// A picture that is no graph: an observer's histogram, or why a node has no label. It is exported like one.
//
// Thread: the UI thread (plots are widgets); needs a QApplication, for which the offscreen platform will do.
#pragma once

#include "export/export_diagram.h"

#include <QSizeF>

#include <functional>

class QPainter;

namespace gb::views {

struct Card {
    QString title;                                      ///< the caption, where none is given
    QSizeF size;                                        ///< in pixels at 100 %
    double textSize = 12;                               ///< of its smallest text, in the same pixels
    std::function<void(QPainter&, const Theme&)> paint; ///< from (0, 0) to size
};

/// Of the options: theme, scale, background, caption, captionText, page and minText. The same card gives the same
/// bytes. Errors: Usage for DOT and Model Explorer, and for a PNG with too many pixels.
base::Result<DiagramFile> exportCard(const Card& card, DiagramFormat format, const QString& fileName,
                                     const DiagramOptions& options);

/// What the inspector's Why page says of a node: `html` as whyHtml() makes it, on a card `width` pixels wide.
Card whyCard(const QString& title, std::function<QString(const Theme&)> html, double width = 640);

} // namespace gb::views
