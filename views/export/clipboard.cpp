#include "export/clipboard.h"

#include "export/svg_surface.h"

#include <QImage>

#include <algorithm>

namespace gb::views {

std::unique_ptr<QMimeData> pictureData(const Picture& picture, ThemeKind kind)
{
    constexpr double kLargest = 4000;
    const Theme& theme = Theme::of(kind);
    auto out = std::make_unique<QMimeData>();
    SvgSurface svg(picture.bounds, picture.graph, {});
    paint(svg, picture, theme);
    out->setData(QStringLiteral("image/svg+xml"), svg.finish());
    const QRectF& all = picture.bounds;
    const double scale = std::min(2.0, kLargest / std::max({1.0, all.width(), all.height()}));
    QImage image((all.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.ink(Ink::Page));
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-all.topLeft());
    paint(painter, picture, theme);
    painter.end();
    out->setImageData(image);
    return out;
}

} // namespace gb::views
