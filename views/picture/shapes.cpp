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

void lineTo(std::vector<QPointF>& curve, QPointF to)
{
    const QPointF from = curve.back();
    if (std::abs(from.x() - to.x()) < 0.01 && std::abs(from.y() - to.y()) < 0.01)
        return;
    const double bend = (to.y() - from.y()) / 2;
    curve.push_back({from.x(), from.y() + bend});
    curve.push_back({to.x(), to.y() - bend});
    curve.push_back(to);
}

std::vector<QPointF> sideways(const QRectF& from, const QRectF& to)
{
    const QPointF a(from.right(), from.center().y());
    const double slant = kSlant / 2; // the sides of a trapezoid lean in
    const QPointF b(to.left() + slant, std::clamp(a.y(), to.top() + to.height() / 3, to.bottom() - to.height() / 3));
    const double bend = (b.x() - a.x()) / 2;
    return {a, {a.x() + bend, a.y()}, {b.x() - bend, b.y()}, b};
}

std::vector<QPointF> cutTo(const std::vector<QPointF>& curve, const QRectF& clip, double reach)
{
    const double top = clip.top() - reach;
    const double bottom = clip.bottom() + reach;
    std::vector<QPointF> out;
    for (std::size_t i = 3; i < curve.size(); i += 3) {
        if (std::max(curve[i - 3].y(), curve[i].y()) < top || std::min(curve[i - 3].y(), curve[i].y()) > bottom)
            continue;
        const bool straight = curve[i - 3].x() == curve[i].x() && curve[i - 2].x() == curve[i].x();
        const auto cut = [&](QPointF p) { return straight ? QPointF(p.x(), std::clamp(p.y(), top, bottom)) : p; };
        if (out.empty())
            out.push_back(cut(curve[i - 3]));
        for (const std::size_t k : {i - 2, i - 1, i})
            out.push_back(cut(curve[k]));
    }
    return out.empty() ? std::vector<QPointF>{curve[0]} : out;
}

void flatten(const std::vector<QPointF>& curve, const QRectF& clip, double straight, QList<QLineF>& out)
{
    for (std::size_t i = 3; i < curve.size(); i += 3) {
        const QPointF a = curve[i - 3];
        const QPointF b = curve[i];
        if (std::max(a.y(), b.y()) < clip.top() || std::min(a.y(), b.y()) > clip.bottom())
            continue;
        QPointF last = a;
        for (const double t : {0.2, 0.4, 0.6, 0.8}) {
            if (std::abs(a.x() - b.x()) < straight)
                break;
            const double u = 1 - t;
            const QPointF p =
                a * (u * u * u) + curve[i - 2] * (3 * u * u * t) + curve[i - 1] * (3 * u * t * t) + b * (t * t * t);
            out << QLineF(last, p);
            last = p;
        }
        out << QLineF(last, b);
    }
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
