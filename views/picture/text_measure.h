// How wide text is, and how it is cut when it does not fit.
//
// Thread: any (fonts need a QGuiApplication).
#pragma once

#include "picture/label_text.h"
#include "theme/theme.h"

namespace gb::views {

/// How a piece of text is set.
struct TextStyle {
    FontRole role = FontRole::NodeText;
    double scale = 1;
    bool italic = false;
};

/// The font of a style, in scene pixels.
QFont fontOf(const TextStyle& style);
/// Height of a line and where its baseline is below its top.
double lineHeight(const TextStyle& style);
double ascent(const TextStyle& style);
double textWidth(const QString& text, const TextStyle& style);
/// Side of the square that a glyph takes.
double glyphSize(const TextStyle& style);
/// Gap between two runs.
double runGap(const TextStyle& style);
double runsWidth(const Runs& runs, const TextStyle& style);
/// Takes characters out of the middle ("encoder…attention") until it fits.
QString elided(const QString& text, const TextStyle& style, double width);
/// The longest run is elided; `cut` tells whether something was.
Runs elided(const Runs& runs, const TextStyle& style, double width, bool* cut);

} // namespace gb::views
