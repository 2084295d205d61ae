#include "picture/painter.h"

namespace gb::views {
namespace {

QPainterPath chain(const QRectF& b, bool dashed)
{
    QPainterPath path;
    const double w = b.width();
    const double h = b.height() * 0.42;
    const double y = b.center().y() - h / 2;
    const double link = w * 0.58;
    const auto ring = [&](double x) {
        path.addRoundedRect(QRectF(x, y, link, h), h / 2, h / 2);
        const double t = h * 0.28;
        path.addRoundedRect(QRectF(x + t, y + t, link - 2 * t, h - 2 * t), h / 2 - t, h / 2 - t);
    };
    ring(b.x());
    ring(b.right() - link);
    if (dashed) {
        // cut through the middle: nobody asked for this link
        QPainterPath gap;
        gap.addRect(QRectF(b.center().x() - w * 0.05, b.y(), w * 0.1, b.height()));
        path.setFillRule(Qt::OddEvenFill);
        return path.subtracted(gap);
    }
    path.setFillRule(Qt::WindingFill);
    QPainterPath left;
    QPainterPath right;
    for (QPainterPath* one : {&left, &right}) {
        const double x = one == &left ? b.x() : b.right() - link;
        const double t = h * 0.28;
        QPainterPath hole;
        one->addRoundedRect(QRectF(x, y, link, h), h / 2, h / 2);
        hole.addRoundedRect(QRectF(x + t, y + t, link - 2 * t, h - 2 * t), h / 2 - t, h / 2 - t);
        *one = one->subtracted(hole);
    }
    return left.united(right);
}

QPainterPath lock(const QRectF& b)
{
    const QRectF body(b.x() + b.width() * 0.16, b.y() + b.height() * 0.45, b.width() * 0.68, b.height() * 0.5);
    QPainterPath shackle;
    shackle.addRoundedRect(
        QRectF(b.x() + b.width() * 0.26, b.y() + b.height() * 0.05, b.width() * 0.48, b.height() * 0.7),
        b.width() * 0.24, b.width() * 0.24);
    QPainterPath hole;
    hole.addRoundedRect(
        QRectF(b.x() + b.width() * 0.38, b.y() + b.height() * 0.17, b.width() * 0.24, b.height() * 0.58),
        b.width() * 0.12, b.width() * 0.12);
    QPainterPath out = shackle.subtracted(hole);
    QPainterPath solid;
    solid.addRoundedRect(body, 1, 1);
    return out.united(solid);
}

QPainterPath gauge(const QRectF& b)
{
    // half a dial with a needle
    const QPointF c(b.center().x(), b.y() + b.height() * 0.72);
    const double r = b.width() * 0.5;
    QPainterPath outer;
    outer.moveTo(c.x() - r, c.y());
    outer.arcTo(QRectF(c.x() - r, c.y() - r, 2 * r, 2 * r), 180, -180);
    outer.closeSubpath();
    QPainterPath inner;
    const double s = r * 0.72;
    inner.moveTo(c.x() - s, c.y());
    inner.arcTo(QRectF(c.x() - s, c.y() - s, 2 * s, 2 * s), 180, -180);
    inner.closeSubpath();
    QPainterPath needle;
    needle.moveTo(c.x() - r * 0.14, c.y());
    needle.lineTo(c.x() + r * 0.42, c.y() - r * 0.66);
    needle.lineTo(c.x() + r * 0.16, c.y());
    needle.closeSubpath();
    return outer.subtracted(inner).united(needle);
}

QPainterPath bar(const QRectF& b)
{
    // a ring with a bar across: not quantized
    const QRectF ring = b.adjusted(b.width() * 0.08, b.height() * 0.08, -b.width() * 0.08, -b.height() * 0.08);
    const double t = b.width() * 0.12;
    QPainterPath outer;
    outer.addEllipse(ring);
    QPainterPath inner;
    inner.addEllipse(ring.adjusted(t, t, -t, -t));
    QPainterPath across;
    across.addRect(QRectF(ring.x() + t / 2, ring.center().y() - t / 2, ring.width() - t, t));
    return outer.subtracted(inner).united(across);
}

} // namespace

QPainterPath glyphPath(Glyph glyph, const QRectF& box)
{
    switch (glyph) {
    case Glyph::Chain: return chain(box, false);
    case Glyph::ChainDashed: return chain(box, true);
    case Glyph::Lock: return lock(box);
    case Glyph::Gauge: return gauge(box);
    case Glyph::Bar: return bar(box);
    case Glyph::None: break;
    }
    return {};
}

} // namespace gb::views
