// A PDF from pages that are painted one after the other, with the same bytes for the same pages.
//
// Thread: one at a time; needs a QGuiApplication.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace gb::views {

struct PdfPage {
    QSizeF size; ///< scene pixels, 96 an inch
    std::function<void(QPainter&)> paint;
};

/// Vector pages with embedded fonts. The date of creation and the document's number are put to fixed values.
QByteArray writePdf(const std::vector<PdfPage>& pages, const QString& title);

} // namespace gb::views
