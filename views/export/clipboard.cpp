#include "export/clipboard.h"

#include "export/svg_surface.h"

#include <QImage>

#include <algorithm>

namespace gb::views {

std::unique_ptr<QMimeData> pictureData(const Picture& picture, ThemeKind kind, const std::vector<Hull>& hulls)
{
    constexpr double kLargest = 4000;
    const Theme& theme = Theme::of(kind);
    auto out = std::make_unique<QMimeData>();
    QRectF all = picture.bounds;
    for (const Hull& hull : hulls)
        all |= hull.bounds;
    SvgSurface svg(all, picture.graph, {});
    PaintOptions options;
    options.hulls = &hulls;
    options.background = false; // what the hulls need may be more than what the picture has
    QPainterPath page;
    page.addRect(all);
    svg.path(page, Qt::NoPen, theme.ink(Ink::Page));
    paint(svg, picture, theme, options);
    out->setData(QStringLiteral("image/svg+xml"), svg.finish());
    const double scale = std::min(2.0, kLargest / std::max({1.0, all.width(), all.height()}));
    QImage image((all.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.ink(Ink::Page));
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-all.topLeft());
    paint(painter, picture, theme, options);
    painter.end();
    out->setImageData(image);
    return out;
}

} // namespace gb::views
