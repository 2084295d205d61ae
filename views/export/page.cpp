#include "export/page.h"

#include "base/message.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace gb::views {
namespace {

constexpr double kPixelsAMillimetre = 96 / 25.4;
constexpr double kLargest = 2; ///< a picture of three boxes does not fill a slide

struct Named {
    const char* name;
    double width;
    double height;
};
constexpr std::array kPages{Named{"16:9", 1280, 720}, Named{"4:3", 960, 720}, Named{"square", 720, 720},
                            Named{"A4", 297 * kPixelsAMillimetre, 210 * kPixelsAMillimetre},
                            Named{"A4-portrait", 210 * kPixelsAMillimetre, 297 * kPixelsAMillimetre}};

} // namespace

QStringList pageNames()
{
    QStringList out;
    for (const Named& page : kPages)
        out << QLatin1String(page.name);
    return out;
}

base::Result<QSizeF> pageSize(const QString& text)
{
    for (const Named& page : kPages)
        if (text.compare(QLatin1String(page.name), Qt::CaseInsensitive) == 0)
            return QSizeF(page.width, page.height);
    const QStringList sides = text.split(QLatin1Char('x'));
    bool isWidth = false;
    bool isHeight = false;
    const double width = sides.value(0).toDouble(&isWidth);
    const double height = sides.value(1).toDouble(&isHeight);
    if (sides.size() != 2 || !isWidth || !isHeight || std::min(width, height) < 20 || std::max(width, height) > 5000)
        return base::Error{base::ErrorCode::Usage,
                           base::say("found \"{0}\", {1} or WIDTHxHEIGHT in millimetres (20 to 5,000) expected",
                                     text.toStdString(), pageNames().join(QStringLiteral(", ")).toStdString()),
                           "page size"};
    return QSizeF(width, height) * kPixelsAMillimetre;
}

Fit fitInto(const QRectF& content, const QRectF& room)
{
    const double scale = std::min(
        {kLargest, room.width() / std::max(1.0, content.width()), room.height() / std::max(1.0, content.height())});
    return {scale, room.center() - content.center() * scale};
}

} // namespace gb::views
