#include "export/svg_surface.h"

#include <cmath>

namespace gb::views {
namespace {

QByteArray escaped(const QString& text)
{
    QString clean;
    for (const QChar c : text) // XML 1.0 has no other control characters
        if (c.unicode() >= 0x20 || c == QLatin1Char('\n') || c == QLatin1Char('\t'))
            clean += c;
    return clean.toHtmlEscaped().toUtf8();
}

QByteArray colour(const QColor& c)
{
    return c.name(QColor::HexRgb).toLatin1();
}

QByteArray attribute(const char* name, const QByteArray& value)
{
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray opacity(const char* name, const QColor& c)
{
    return c.alpha() == 255 ? QByteArray() : attribute(name, svgNumber(c.alphaF()));
}

QByteArray pathData(const QPainterPath& path)
{
    QByteArray out;
    const auto point = [&](int i) {
        const QPainterPath::Element e = path.elementAt(i);
        return svgNumber(e.x) + ' ' + svgNumber(e.y);
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        if (e.isMoveTo()) {
            out += 'M' + point(i);
        } else if (e.isLineTo()) {
            out += 'L' + point(i);
        } else {
            out += 'C' + point(i) + ' ' + point(i + 1) + ' ' + point(i + 2);
            i += 2;
        }
    }
    return out;
}

QByteArray strokeOf(const QPen& pen)
{
    if (pen.style() == Qt::NoPen)
        return {};
    const double width = pen.widthF() > 0 ? pen.widthF() : 1;
    QByteArray out = attribute("stroke", colour(pen.color())) + attribute("stroke-width", svgNumber(width))
                     + opacity("stroke-opacity", pen.color());
    if (pen.style() == Qt::CustomDashLine) {
        QByteArray dashes;
        for (const double dash : pen.dashPattern()) // Qt counts dashes in pen widths
            dashes += (dashes.isEmpty() ? "" : " ") + svgNumber(dash * width);
        out += attribute("stroke-dasharray", dashes);
    }
    return out;
}

} // namespace

QByteArray svgNumber(double value)
{
    const auto hundredths = static_cast<long long>(std::llround(value * 100));
    QByteArray out = QByteArray::number(std::llabs(hundredths) / 100);
    const long long rest = std::llabs(hundredths) % 100;
    if (rest != 0) {
        out += '.' + QByteArray::number(rest / 10);
        if (rest % 10 != 0)
            out += QByteArray::number(rest % 10);
    }
    return hundredths < 0 ? '-' + out : out;
}

SvgSurface::SvgSurface(const QRectF& area, const QString& title, const QString& description)
{
    m_out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"";
    m_out += attribute("width", svgNumber(area.width())) + attribute("height", svgNumber(area.height()));
    m_out += attribute("viewBox", svgNumber(area.x()) + ' ' + svgNumber(area.y()) + ' ' + svgNumber(area.width()) + ' '
                                      + svgNumber(area.height()));
    m_out += attribute("role", "img") + ">\n<title>" + escaped(title) + "</title>\n<desc>" + escaped(description)
             + "</desc>\n";
}

QString SvgSurface::freeId(const QString& wanted)
{
    QString base;
    for (const QChar c : wanted)
        base += c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('-') || c == QLatin1Char('.')
                    ? c
                    : QLatin1Char('_');
    if (base.isEmpty() || !(base[0].isLetter() || base[0] == QLatin1Char('_')))
        base.prepend(QLatin1Char('_'));
    QString id = base;
    for (int n = 2; m_ids.contains(id); ++n)
        id = QStringLiteral("%1.%2").arg(base).arg(n);
    m_ids.insert(id);
    return id;
}

void SvgSurface::beginGroup(const QString& id, const QString& title)
{
    m_out += "<g" + attribute("id", freeId(id).toUtf8()) + "><title>" + escaped(title) + "</title>\n";
}

void SvgSurface::endGroup()
{
    m_out += "</g>\n";
}

void SvgSurface::push(double scale, QPointF offset)
{
    // four decimals: a scale is multiplied by thousands of pixels
    m_out += "<g"
             + attribute("transform", "translate(" + svgNumber(offset.x()) + ' ' + svgNumber(offset.y()) + ") scale("
                                          + QByteArray::number(std::round(scale * 1e4) / 1e4) + ')')
             + ">\n";
}

void SvgSurface::pop()
{
    m_out += "</g>\n";
}

void SvgSurface::path(const QPainterPath& path, const QPen& pen, const QBrush& brush)
{
    if (path.isEmpty())
        return;
    m_out += "<path" + attribute("d", pathData(path));
    m_out += attribute("fill", brush.style() == Qt::NoBrush ? QByteArray("none") : colour(brush.color()));
    if (brush.style() != Qt::NoBrush) {
        m_out += opacity("fill-opacity", brush.color());
        if (path.fillRule() == Qt::OddEvenFill)
            m_out += attribute("fill-rule", "evenodd");
    }
    m_out += strokeOf(pen) + "/>\n";
}

void SvgSurface::text(QPointF baseline, const QString& text, const TextStyle& style, const QColor& c)
{
    if (text.isEmpty())
        return;
    const QFont font = fontOf(style);
    m_out += "<text" + attribute("x", svgNumber(baseline.x())) + attribute("y", svgNumber(baseline.y()));
    m_out += attribute("font-family", Theme::cssFamilies(style.role).toUtf8());
    m_out += attribute("font-size", svgNumber(font.pixelSize()));
    if (font.bold())
        m_out += attribute("font-weight", "bold");
    if (font.italic())
        m_out += attribute("font-style", "italic");
    m_out += attribute("fill", colour(c)) + attribute("xml:space", "preserve") + '>' + escaped(text) + "</text>\n";
}

QByteArray SvgSurface::finish()
{
    m_out += "</svg>\n";
    return std::move(m_out);
}

} // namespace gb::views
