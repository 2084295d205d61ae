// A figure as a picture: title, plots side by side, table and sentences on one page, as PNG, SVG or PDF.
//
// The page is as wide as its plots and its table need, so that nothing is cut off. The same figure gives the same
// bytes.
//
// Thread: the UI thread; needs a QApplication (the offscreen platform will do), since plots are widgets.
#pragma once

#include "base/result.h"
#include "numbers/figures.h"
#include "theme/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QCPPainter;

namespace gb::views {

/// A plot that paints itself at a size.
struct FigurePlot {
    QString title; ///< above it; empty: none
    std::function<void(QCPPainter&, const QSize&)> paint;
    int width = 420;
    int height = 280;
};

struct FigurePage {
    QString title;
    std::vector<FigurePlot> plots; ///< as many in a row as fit into 1,280 pixels
    QStringList sentences;
    numbers::Sheet table;
};

/// What a figure's picture holds, painted in a theme. The page owns what its plots need.
FigurePage figurePage(const numbers::Figure& figure, const QString& title, ThemeKind theme);

enum class PictureFormat : unsigned char { Png, Svg, Pdf };
/// By the file name's ending; nothing for another one.
std::optional<PictureFormat> pictureFormat(const QString& fileName);

struct PictureOptions {
    ThemeKind theme = ThemeKind::Print;
    double scale = 2; ///< PNG: pixels a pixel of the page
};
/// Errors: Usage for a page of more pixels than a PNG may have.
base::Result<QByteArray> pictureOf(const FigurePage& page, PictureFormat format, const PictureOptions& options = {});
/// Writes by the ending of `path`: .png, .svg and .pdf a picture, .json and all others the sheet. The file appears as a
/// whole or not at all. Errors: Io, Usage.
base::Status writeFigure(const numbers::Figure& figure, const QString& title, const QString& path,
                         const PictureOptions& options = {});

} // namespace gb::views
