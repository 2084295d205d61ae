#include "plots/histogram_card.h"

#include "export/fixed_hash_seed.h"
#include "plots/histogram_plot.h"
#include "plots/qparams_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPicture>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <memory>

namespace gb::views {
namespace {

constexpr double kWidth = 900;
constexpr double kPlotHeight = 380;
constexpr double kLine = 18;
constexpr double kGap = 10;
constexpr double kColumn = 300; ///< of the table of qparams

struct Content {
    ObserverRow row;
    HistogramFacts facts;
    QStringList formula;
    QStringList notices;
    std::vector<QParamsEntry> table;

    [[nodiscard]] int tableRows() const
    {
        constexpr int kColumns = static_cast<int>(kWidth / kColumn);
        return (static_cast<int>(table.size()) + kColumns - 1) / kColumns;
    }
    [[nodiscard]] bool hasPlot() const { return facts.observed || facts.representable; }
};

/// The plot as vectors: QCustomPlot paints with a painter of its own class.
QPicture plotOf(const Content& content, const Theme& theme)
{
    const FixedHashSeed seed;
    QWidget parent;
    HistogramPlot plot(&parent);
    plot.setTheme(theme);
    plot.show(content.facts, content.row.state(), CountScale::Log);
    const ValueRange all = plot.wholeRange();
    plot.xAxis().setRange(all.min, all.max);
    QPicture out;
    QCPPainter painter(&out);
    painter.setMode(QCPPainter::pmVectorized);
    plot.widget().toPainter(&painter, static_cast<int>(kWidth), static_cast<int>(kPlotHeight));
    painter.end();
    return out;
}

void paintLines(QPainter& painter, const QStringList& lines, FontRole font, const QColor& ink, double& y)
{
    painter.setFont(Theme::font(font));
    painter.setPen(ink);
    for (const QString& line : lines) {
        painter.drawText(QPointF(0, y + kLine * 0.75), line);
        y += kLine;
    }
    if (!lines.isEmpty())
        y += kGap;
}

void paintTable(QPainter& painter, const Content& content, const Theme& theme, double y)
{
    const int rows = content.tableRows();
    for (std::size_t i = 0; i < content.table.size(); ++i) {
        const int at = static_cast<int>(i);
        const QPointF place(kColumn * (at / rows), y + kLine * (at % rows) + kLine * 0.75);
        painter.setFont(Theme::font(FontRole::NodeText));
        painter.setPen(theme.ink(Ink::Muted));
        painter.drawText(place, content.table[i].name);
        painter.setFont(Theme::font(FontRole::Label));
        painter.setPen(theme.ink(Ink::Text));
        const QFontMetricsF metrics(painter.font());
        painter.drawText(place + QPointF(110, 0),
                         metrics.elidedText(content.table[i].text, Qt::ElideRight, kColumn - 120));
    }
}

} // namespace

Card histogramCard(const ObserverRow& row, const QString& when)
{
    auto content = std::make_shared<Content>();
    content->row = row;
    content->facts = factsOf(row);
    content->formula = formulaLines(content->facts, row.info->settings);
    content->notices = noticeLines(content->facts, row.info->settings);
    content->table = qparamsEntries(row, content->facts);
    double height = (content->hasPlot() ? kPlotHeight + kGap : 0) + kLine * content->tableRows();
    for (const QStringList& lines : {content->formula, content->notices})
        height += lines.isEmpty() ? 0 : kLine * static_cast<double>(lines.size()) + kGap;
    double width = kWidth;
    const QFontMetricsF code(Theme::font(FontRole::Code));
    for (const QString& line : content->formula)
        width = std::max(width, code.horizontalAdvance(line));
    Card out;
    out.title = QStringLiteral("%1 · %2 · %3").arg(row.name(), row.typeText(), when);
    out.size = {width, height};
    out.textSize = Theme::font(FontRole::Caption).pixelSize();
    out.paint = [content](QPainter& painter, const Theme& theme) {
        double y = 0;
        if (content->hasPlot()) {
            painter.drawPicture(0, 0, plotOf(*content, theme));
            y += kPlotHeight + kGap;
        }
        paintLines(painter, content->formula, FontRole::Code, theme.ink(Ink::Text), y);
        paintLines(painter, content->notices, FontRole::NodeText, theme.ink(Ink::Warning), y);
        paintTable(painter, *content, theme, y);
    };
    return out;
}

} // namespace gb::views
