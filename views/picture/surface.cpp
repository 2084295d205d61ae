#include "picture/painter.h"

namespace gb::views {

void Surface::block(const QRectF& box, const QColor& border, const QColor& fill)
{
    QPainterPath shape;
    shape.addRect(box);
    path(shape, border, fill);
}

void Surface::thinLines(const QList<QLineF>& lines, const QColor& colour)
{
    QPainterPath all;
    for (const QLineF& line : lines) {
        all.moveTo(line.p1());
        all.lineTo(line.p2());
    }
    path(all, colour, Qt::NoBrush);
}

void QPainterSurface::block(const QRectF& box, const QColor& border, const QColor& fill)
{
    m_painter->setRenderHint(QPainter::Antialiasing, false);
    m_painter->setPen(QPen(border, 0));
    m_painter->setBrush(fill);
    m_painter->drawRect(box);
    m_painter->setRenderHint(QPainter::Antialiasing);
}

void QPainterSurface::thinLines(const QList<QLineF>& lines, const QColor& colour)
{
    m_painter->setRenderHint(QPainter::Antialiasing, false);
    m_painter->setPen(QPen(colour, 0));
    m_painter->drawLines(lines);
    m_painter->setRenderHint(QPainter::Antialiasing);
}

void QPainterSurface::push(double scale, QPointF offset)
{
    m_painter->save();
    m_painter->translate(offset);
    m_painter->scale(scale, scale);
}

void QPainterSurface::pop()
{
    m_painter->restore();
}

void QPainterSurface::path(const QPainterPath& path, const QPen& pen, const QBrush& brush)
{
    m_painter->setPen(pen);
    m_painter->setBrush(brush);
    m_painter->drawPath(path);
}

void QPainterSurface::text(QPointF baseline, const QString& text, const TextStyle& style, const QColor& colour)
{
    m_painter->setPen(colour);
    m_painter->setFont(fontOf(style));
    m_painter->drawText(baseline, text);
}

} // namespace gb::views
