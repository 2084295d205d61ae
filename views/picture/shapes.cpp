#include "picture/shapes.h"

#include <algorithm>

namespace gb::views {

QPainterPath polygon(std::initializer_list<QPointF> points)
{
    QPainterPath path;
    path.moveTo(*points.begin());
    for (auto p = points.begin() + 1; p != points.end(); ++p)
        path.lineTo(*p);
    path.closeSubpath();
    return path;
}

QPainterPath outline(Form form, const QRectF& r)
{
    QPainterPath path;
    switch (form) {
    case Form::Stadium:
        path.addRoundedRect(r, std::min(20.0, r.height() / 2), std::min(20.0, r.height() / 2));
        return path;
    case Form::Narrowing:
        return polygon({r.topLeft(), r.topRight(), {r.right() - kSlant, r.bottom()}, {r.left() + kSlant, r.bottom()}});
    case Form::Widening:
        return polygon({{r.left() + kSlant, r.top()}, {r.right() - kSlant, r.top()}, r.bottomRight(), r.bottomLeft()});
    case Form::Folded:
        return polygon(
            {r.topLeft(), {r.right() - kFold, r.top()}, {r.right(), r.top() + kFold}, r.bottomRight(), r.bottomLeft()});
    case Form::Box: break;
    }
    path.addRect(r);
    return path;
}

QPainterPath hatch(const QRectF& r)
{
    constexpr double kStep = 9;
    QPainterPath path;
    for (double c = kStep; c < r.width() + r.height(); c += kStep) {
        // the line x + y = c, from the box's left or bottom side to its top or right side
        const QPointF low = c <= r.height() ? QPointF(0, c) : QPointF(c - r.height(), r.height());
        const QPointF high = c <= r.width() ? QPointF(c, 0) : QPointF(r.width(), c - r.width());
        path.moveTo(r.topLeft() + low);
        path.lineTo(r.topLeft() + high);
    }
    return path;
}

QPainterPath curvePath(const std::vector<QPointF>& curve)
{
    QPainterPath path;
    if (curve.empty())
        return path;
    path.moveTo(curve[0]);
    for (std::size_t i = 3; i < curve.size(); i += 3)
        path.cubicTo(curve[i - 2], curve[i - 1], curve[i]);
    return path;
}

} // namespace gb::views
