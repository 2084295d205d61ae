// Writes SVG that office programs and browsers read alike: plain shapes and texts with attributes, no style sheet, clip
// path or filter, and the same bytes for the same calls.
//
// Thread: one at a time.
#pragma once

#include "picture/painter.h"

#include <QByteArray>
#include <QSet>

namespace gb::views {

class SvgSurface final : public Surface {
public:
    /// `area` is what the page shows, in scene pixels; title and description are read by screen readers.
    SvgSurface(const QRectF& area, const QString& title, const QString& description);

    void beginGroup(const QString& id, const QString& title) override;
    void endGroup() override;
    void push(double scale, QPointF offset) override;
    void pop() override;
    void path(const QPainterPath& path, const QPen& pen, const QBrush& brush) override;
    void text(QPointF baseline, const QString& text, const TextStyle& style, const QColor& colour) override;

    /// The whole document. Nothing is drawn after it.
    QByteArray finish();

private:
    QString freeId(const QString& wanted);

    QByteArray m_out;
    QSet<QString> m_ids;
};

/// At most 2 decimals, "." as the point, no exponent, no "-0".
QByteArray svgNumber(double value);

} // namespace gb::views
