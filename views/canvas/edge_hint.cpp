#include "canvas/edge_hint.h"

#include "picture/text_measure.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kInset = 8;
constexpr double kHeight = 26;
constexpr double kArrow = 14;
constexpr double kPad = 9;
constexpr TextStyle kStyle{FontRole::NodeText, 1, false};

enum Side { Left, Top, Right, Bottom, Sides };

/// The side that an item lies beyond, or Sides for one that is seen.
Side sideOf(const QRectF& item, const QRectF& view)
{
    if (view.intersects(item))
        return Sides;
    const QPointF from = item.center() - view.center();
    const double across = std::abs(from.x()) / view.width();
    const double along = std::abs(from.y()) / view.height();
    if (across > along)
        return from.x() < 0 ? Left : Right;
    return from.y() < 0 ? Top : Bottom;
}

QPointF direction(Side side)
{
    constexpr std::array<QPointF, Sides> kAlong{QPointF(-1, 0), QPointF(0, -1), QPointF(1, 0), QPointF(0, 1)};
    return kAlong[static_cast<std::size_t>(side)];
}

/// Inside the widget, as close to the items as the edge allows.
QRectF placeOf(Side side, QPointF at, const QSizeF& size, double width)
{
    QRectF rect(0, 0, width, kHeight);
    rect.moveCenter(at);
    const QRectF room = QRectF(QPointF(), size).adjusted(kInset, kInset, -kInset, -kInset);
    if (side == Left || rect.left() < room.left())
        rect.moveLeft(room.left());
    if (side == Right || rect.right() > room.right())
        rect.moveRight(room.right());
    if (side == Top || rect.top() < room.top())
        rect.moveTop(room.top());
    if (side == Bottom || rect.bottom() > room.bottom())
        rect.moveBottom(room.bottom());
    return rect;
}

/// Moved along its edge until it is clear of what covers the lower right corner.
QRectF besides(QRectF rect, const QRectF& covered, Side side)
{
    if (!rect.intersects(covered))
        return rect;
    if (side == Left || side == Right)
        rect.moveBottom(covered.top() - kInset);
    else
        rect.moveRight(covered.left() - kInset);
    return rect;
}

} // namespace

std::vector<EdgeHint> edgeHints(const Picture& picture, const QRectF& view, const QSizeF& size, const QRectF& covered)
{
    struct Beyond {
        int count = 0;
        const NodeItem* nearest = nullptr;
        double distance = 0;
    };
    std::array<Beyond, Sides> sides{};
    for (const ir::NodeId id : picture.touched) {
        const NodeItem* node = picture.find(id);
        const Side side = node ? sideOf(node->reach(), view) : Sides;
        if (side == Sides)
            continue;
        Beyond& beyond = sides[side];
        const QPointF from = node->reach().center() - view.center();
        const double distance = std::hypot(from.x(), from.y());
        if (++beyond.count == 1 || distance < beyond.distance) {
            beyond.nearest = node;
            beyond.distance = distance;
        }
    }
    std::vector<EdgeHint> out;
    for (int s = Left; s < Sides; ++s) {
        const Beyond& beyond = sides[static_cast<std::size_t>(s)];
        if (!beyond.nearest)
            continue;
        EdgeHint hint;
        hint.count = beyond.count;
        hint.nearest = beyond.nearest->id;
        hint.along = direction(static_cast<Side>(s));
        hint.text = QCoreApplication::translate("gb::views::EdgeHint", "%n change(s)", nullptr, beyond.count);
        const double width = textWidth(hint.text, kStyle) + kArrow + 3 * kPad;
        const QPointF inView = (beyond.nearest->reach().center() - view.topLeft()) * (size.width() / view.width());
        hint.rect = besides(placeOf(static_cast<Side>(s), inView, size, width), covered, static_cast<Side>(s));
        hint.at = hint.rect.center();
        out.push_back(hint);
    }
    return out;
}

void paintHint(QPainter& painter, const EdgeHint& hint, const Theme& theme)
{
    painter.setPen(theme.pen(Ink::Touched, 1.6));
    painter.setBrush(theme.ink(Ink::Page));
    painter.drawRoundedRect(hint.rect, kHeight / 2, kHeight / 2);
    const QPointF tip = QPointF(hint.rect.right() - kPad - kArrow / 2, hint.at.y()) + hint.along * (kArrow / 2);
    const QPointF across(-hint.along.y(), hint.along.x());
    QPainterPath arrow(tip);
    arrow.lineTo(tip - hint.along * kArrow + across * (kArrow / 2));
    arrow.lineTo(tip - hint.along * kArrow - across * (kArrow / 2));
    arrow.closeSubpath();
    painter.fillPath(arrow, theme.ink(Ink::Touched));
    painter.setPen(theme.ink(Ink::Text));
    painter.setFont(fontOf(kStyle));
    painter.drawText(QPointF(hint.rect.left() + kPad, hint.at.y() - lineHeight(kStyle) / 2 + ascent(kStyle)),
                     hint.text);
}

} // namespace gb::views
