#include "window/icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace gb::app {
namespace {

/// A triangle in the unit square that points right, its left edge at `left`.
void addTriangle(QPainterPath& path, double left, double right)
{
    path.moveTo(left, 0.15);
    path.lineTo(right, 0.5);
    path.lineTo(left, 0.85);
    path.closeSubpath();
}

QPainterPath shapePath(IconShape shape)
{
    QPainterPath path;
    switch (shape) {
    case IconShape::Open:
        path.moveTo(0.06, 0.82);
        path.lineTo(0.06, 0.18);
        path.lineTo(0.38, 0.18);
        path.lineTo(0.48, 0.30);
        path.lineTo(0.86, 0.30);
        path.lineTo(0.86, 0.42);
        path.lineTo(0.26, 0.42);
        path.closeSubpath();
        path.moveTo(0.30, 0.48);
        path.lineTo(0.98, 0.48);
        path.lineTo(0.84, 0.82);
        path.lineTo(0.14, 0.82);
        path.closeSubpath();
        break;
    case IconShape::Run: addTriangle(path, 0.2, 0.85); break;
    case IconShape::Stop: path.addRect(0.2, 0.2, 0.6, 0.6); break;
    case IconShape::Forward: addTriangle(path, 0.3, 0.8); break;
    case IconShape::Last:
        addTriangle(path, 0.15, 0.7);
        path.addRect(0.72, 0.15, 0.13, 0.7);
        break;
    case IconShape::Back:
    case IconShape::First: { // the mirror images
        const QTransform mirror = QTransform::fromScale(-1, 1) * QTransform::fromTranslate(1, 0);
        return mirror.map(shapePath(shape == IconShape::Back ? IconShape::Forward : IconShape::Last));
    }
    }
    return path;
}

QPixmap paint(IconShape shape, int size, const QColor& colour)
{
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size, size);
    painter.fillPath(shapePath(shape), colour);
    return pixmap;
}

} // namespace

QIcon makeIcon(IconShape shape, const views::Theme& theme)
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64}) {
        icon.addPixmap(paint(shape, size, theme.ink(views::Ink::Text)), QIcon::Normal);
        icon.addPixmap(paint(shape, size, theme.ink(views::Ink::Faint)), QIcon::Disabled);
    }
    return icon;
}

} // namespace gb::app
