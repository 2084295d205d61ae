#include "picture/text_measure.h"

#include <QFontMetricsF>
#include <QHash>

#include <cmath>

namespace gb::views {
namespace {

/// Metrics of a role at scale 1: advances are unhinted, so other scales are multiples.
struct Metrics {
    explicit Metrics(const QFont& font)
        : metrics(font)
        , pixels(font.pixelSize())
    {
    }
    QFontMetricsF metrics;
    double pixels;
    QHash<QString, double> widths; ///< the same few texts come again and again
};

constexpr qsizetype kMostWidths = 20000;

Metrics& metricsOf(const TextStyle& style)
{
    // one set a thread: QFontMetricsF caches inside
    thread_local std::vector<Metrics> cache;
    if (cache.empty())
        for (int italic = 0; italic < 2; ++italic)
            for (int role = 0; role <= static_cast<int>(FontRole::Code); ++role)
                cache.emplace_back(fontOf({static_cast<FontRole>(role), 1, italic != 0}));
    const auto roles = static_cast<std::size_t>(FontRole::Code) + 1;
    return cache[static_cast<std::size_t>(style.role) + (style.italic ? roles : 0)];
}

} // namespace

QFont fontOf(const TextStyle& style)
{
    QFont font = Theme::font(style.role);
    font.setItalic(style.italic);
    if (style.scale != 1)
        font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * style.scale)));
    return font;
}

double lineHeight(const TextStyle& style)
{
    return std::ceil(metricsOf(style).metrics.height() * style.scale);
}

double ascent(const TextStyle& style)
{
    return metricsOf(style).metrics.ascent() * style.scale;
}

double textWidth(const QString& text, const TextStyle& style)
{
    Metrics& m = metricsOf(style);
    const auto known = m.widths.constFind(text);
    if (known != m.widths.cend())
        return *known * style.scale;
    if (m.widths.size() >= kMostWidths)
        m.widths.clear();
    const double width = m.metrics.horizontalAdvance(text);
    m.widths.insert(text, width);
    return width * style.scale;
}

double glyphSize(const TextStyle& style)
{
    return std::round(metricsOf(style).pixels * style.scale * 1.1);
}

double runGap(const TextStyle& style)
{
    return std::round(metricsOf(style).pixels * style.scale * 0.4);
}

double runsWidth(const Runs& runs, const TextStyle& style)
{
    double width = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        // a glyph stands close to what it belongs to
        if (i > 0)
            width += runs[i - 1].glyph == Glyph::None ? runGap(style) : runGap(style) * 0.5;
        width += runs[i].glyph == Glyph::None ? textWidth(runs[i].text, style) : glyphSize(style);
    }
    return width;
}

QString elided(const QString& text, const TextStyle& style, double width)
{
    if (textWidth(text, style) <= width)
        return text;
    const Metrics& m = metricsOf(style);
    return m.metrics.elidedText(text, Qt::ElideMiddle, width / style.scale);
}

Runs elided(const Runs& runs, const TextStyle& style, double width, bool* cut)
{
    Runs out = runs;
    const double all = runsWidth(runs, style);
    if (all <= width)
        return out;
    auto longest = out.begin();
    for (auto run = out.begin(); run != out.end(); ++run)
        if (run->text.size() > longest->text.size())
            longest = run;
    if (longest == out.end())
        return out;
    longest->text = elided(longest->text, style, std::max(0.0, textWidth(longest->text, style) - (all - width)));
    if (cut)
        *cut = true;
    return out;
}

} // namespace gb::views
