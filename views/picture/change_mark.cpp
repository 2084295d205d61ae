#include "picture/change_mark.h"

namespace gb::views {
namespace {

QPainterPath signOf(Change change, const QRectF& in)
{
    QPainterPath sign;
    if (change == Change::Changed) {
        sign.moveTo(in.bottomLeft());
        sign.lineTo(in.center().x(), in.top());
        sign.lineTo(in.bottomRight());
        sign.closeSubpath();
        return sign;
    }
    sign.moveTo(in.left(), in.center().y());
    sign.lineTo(in.right(), in.center().y());
    if (change == Change::Added) {
        sign.moveTo(in.center().x(), in.top());
        sign.lineTo(in.center().x(), in.bottom());
    }
    return sign;
}

} // namespace

void paintChange(Surface& surface, const NodeItem& node, const Theme& theme, double px)
{
    if (node.change == Change::None)
        return;
    const Ink ink = node.change == Change::Added     ? Ink::Added
                    : node.change == Change::Removed ? Ink::Removed
                                                     : Ink::Changed;
    QPainterPath outer;
    outer.addRoundedRect(node.area().adjusted(-2 * px, -2 * px, 2 * px, 2 * px), 4, 4);
    QPen pen = theme.pen(ink, 2.2 * px);
    if (node.change == Change::Removed)
        pen.setDashPattern({3, 3});
    surface.path(outer, pen, Qt::NoBrush);
    const double side = 16 * px;
    if (node.area().height() < side) // it would hide more than it says
        return;
    const QRectF badge(node.area().left() - side / 2, node.area().top() - side / 2, side, side);
    QPainterPath circle;
    circle.addEllipse(badge);
    surface.path(circle, theme.pen(ink, 1.4 * px), theme.ink(Ink::Page));
    surface.path(signOf(node.change, badge.adjusted(4 * px, 4 * px, -4 * px, -4 * px)), theme.pen(ink, 1.8 * px),
                 Qt::NoBrush);
}

} // namespace gb::views
