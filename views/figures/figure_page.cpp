#include "figures/figure_page.h"

#include "base/message.h"
#include "export/pdf_pages.h"
#include "figures/sheet_model.h"
#include "plots/qcp.h"
#include "session/translate.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPicture>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kMargin = 24;
constexpr double kGap = 12;
constexpr double kRowWidth = 1280; ///< of plots
constexpr double kCellPadding = 8;
constexpr double kMaxPixels = 256e6;

struct Column {
    QString title;
    QStringList cells;
    QList<bool> right;
    QList<bool> bold;
    double width = 0;
};

QFont bold(QFont font)
{
    font.setBold(true);
    return font;
}

std::vector<Column> columnsOf(const numbers::Sheet& sheet)
{
    SheetModel model;
    model.setSheet(sheet);
    const QFont font = Theme::font(FontRole::Caption);
    const QFontMetricsF plain(font);
    const QFontMetricsF heavy(bold(font));
    std::vector<Column> out;
    for (int c = 0; c < model.columnCount(); ++c) {
        Column column{model.headerData(c, Qt::Horizontal).toString(), {}, {}, {}, 0};
        column.width = heavy.horizontalAdvance(column.title);
        for (int r = 0; r < model.rowCount(); ++r) {
            const QModelIndex index = model.index(r, c);
            column.cells << index.data().toString();
            column.right << ((index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0);
            column.bold << index.data(Qt::FontRole).value<QFont>().bold();
            column.width =
                std::max(column.width, (column.bold.back() ? heavy : plain).horizontalAdvance(column.cells.back()));
        }
        column.width += 2 * kCellPadding;
        out.push_back(std::move(column));
    }
    return out;
}

/// Where everything stands.
class Sheeted {
public:
    Sheeted(const FigurePage& page, const Theme& theme)
        : m_page(page)
        , m_theme(theme)
        , m_columns(page.table.rows.empty() ? std::vector<Column>() : columnsOf(page.table))
        , m_caption(Theme::font(FontRole::Caption))
        , m_rowHeight(std::ceil(QFontMetricsF(m_caption).height()) + 6)
    {
        layOut();
    }

    [[nodiscard]] QSize size() const { return {static_cast<int>(m_width), static_cast<int>(m_height)}; }

    void paint(QPainter& painter) const
    {
        painter.fillRect(QRectF(QPointF(), QSizeF(size())), m_theme.ink(Ink::Page));
        painter.setFont(bold(Theme::font(FontRole::Title)));
        painter.setPen(m_theme.ink(Ink::Text));
        painter.drawText(QPointF(kMargin, kMargin + QFontMetricsF(painter.font()).ascent()), m_page.title);
        for (std::size_t i = 0; i < m_page.plots.size(); ++i)
            paintPlot(painter, m_page.plots[i], m_plots[i]);
        painter.setFont(m_caption);
        painter.setPen(m_theme.ink(Ink::Text));
        for (qsizetype i = 0; i < m_lines.size(); ++i)
            painter.drawText(QPointF(kMargin, m_sentencesTop + lineHeight() * static_cast<double>(i + 1) - 4),
                             m_lines[i]);
        paintTable(painter);
    }

private:
    [[nodiscard]] double lineHeight() const { return m_rowHeight; }

    void layOut()
    {
        double tableWidth = 0;
        for (const Column& column : m_columns)
            tableWidth += column.width;
        double x = kMargin;
        double y = kMargin + QFontMetricsF(bold(Theme::font(FontRole::Title))).height() + kGap;
        double lowest = y;
        double widest = std::max(480.0, tableWidth);
        for (const FigurePlot& plot : m_page.plots) {
            const double height = plot.height + (plot.title.isEmpty() ? 0 : m_rowHeight);
            if (x > kMargin && x + plot.width > kMargin + kRowWidth) {
                x = kMargin;
                y = lowest + kGap;
            }
            m_plots.push_back({x, y, static_cast<double>(plot.width), height});
            x += plot.width + kGap;
            widest = std::max(widest, x - kGap - kMargin);
            lowest = std::max(lowest, y + height);
        }
        y = m_page.plots.empty() ? y : lowest + kGap;
        m_sentencesTop = y;
        for (const QString& sentence : m_page.sentences)
            m_lines << wrapped(sentence, widest);
        y += lineHeight() * static_cast<double>(m_lines.size()) + (m_lines.isEmpty() ? 0 : kGap);
        m_tableTop = y;
        if (!m_columns.empty())
            y += m_rowHeight * static_cast<double>(m_page.table.rows.size() + 1);
        m_width = std::ceil(widest + 2 * kMargin);
        m_height = std::ceil(y + kMargin);
    }

    [[nodiscard]] QStringList wrapped(const QString& sentence, double width) const
    {
        const QFontMetricsF metrics(m_caption);
        QStringList out;
        for (const QString& line : sentence.split(QLatin1Char('\n'))) {
            QString now;
            for (const QString& word : line.split(QLatin1Char(' '))) {
                const QString longer = now.isEmpty() ? word : now + QLatin1Char(' ') + word;
                if (!now.isEmpty() && metrics.horizontalAdvance(longer) > width) {
                    out << now;
                    now = word;
                } else {
                    now = longer;
                }
            }
            out << now;
        }
        return out;
    }

    /// By way of a QPicture: QCustomPlot wants a painter of its own class, and the page's may be a PDF's or an SVG's.
    void paintPlot(QPainter& painter, const FigurePlot& plot, const QRectF& at) const
    {
        const double head = at.height() - plot.height;
        if (!plot.title.isEmpty()) {
            painter.setFont(bold(m_caption));
            painter.setPen(m_theme.ink(Ink::Text));
            painter.drawText(QPointF(at.x() + 4, at.y() + head - 6), plot.title);
        }
        QPicture picture;
        {
            QCPPainter own(&picture);
            own.setMode(QCPPainter::pmVectorized);
            own.setMode(QCPPainter::pmNoCaching);
            plot.paint(own, {plot.width, plot.height});
        }
        painter.save();
        painter.translate(at.x(), at.y() + head);
        // a QPicture has a resolution of its own, which it brings to the device's
        painter.scale(static_cast<double>(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                      static_cast<double>(picture.logicalDpiY()) / painter.device()->logicalDpiY());
        painter.drawPicture(0, 0, picture);
        painter.restore();
    }

    void paintTable(QPainter& painter) const
    {
        if (m_columns.empty())
            return;
        const double rows = static_cast<double>(m_page.table.rows.size());
        double x = kMargin;
        for (qsizetype r = 1; r < static_cast<qsizetype>(rows); r += 2)
            painter.fillRect(
                QRectF(kMargin, m_tableTop + m_rowHeight * static_cast<double>(r + 1), tableWidth(), m_rowHeight),
                m_theme.ink(Ink::PanelAlternate));
        painter.setPen(m_theme.pen(Ink::Faint));
        painter.drawLine(QPointF(kMargin, m_tableTop + m_rowHeight),
                         QPointF(kMargin + tableWidth(), m_tableTop + m_rowHeight));
        for (const Column& column : m_columns) {
            const bool right = !column.right.isEmpty() && column.right.front();
            cell(painter, column.title, x, 0, column.width, right, true, Ink::Muted);
            for (qsizetype r = 0; r < column.cells.size(); ++r)
                cell(painter, column.cells[r], x, static_cast<double>(r + 1), column.width, column.right[r],
                     column.bold[r], Ink::Text);
            x += column.width;
        }
    }

    [[nodiscard]] double tableWidth() const
    {
        double out = 0;
        for (const Column& column : m_columns)
            out += column.width;
        return out;
    }

    void cell(QPainter& painter, const QString& text, double x, double row, double width, bool right, bool heavy,
              Ink ink) const
    {
        painter.setFont(heavy ? bold(m_caption) : m_caption);
        painter.setPen(m_theme.ink(ink));
        const QFontMetricsF metrics(painter.font());
        const double left = right ? x + width - kCellPadding - metrics.horizontalAdvance(text) : x + kCellPadding;
        painter.drawText(QPointF(left, m_tableTop + m_rowHeight * row + 3 + metrics.ascent()), text);
    }

    const FigurePage& m_page;
    const Theme& m_theme;
    std::vector<Column> m_columns;
    QFont m_caption;
    double m_rowHeight;
    std::vector<QRectF> m_plots;
    QStringList m_lines;
    double m_sentencesTop = 0;
    double m_tableTop = 0;
    double m_width = 0;
    double m_height = 0;
};

QByteArray svgOf(const Sheeted& sheeted, const QString& title)
{
    QByteArray out;
    QBuffer buffer(&out);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(sheeted.size());
    generator.setViewBox(QRect(QPoint(), sheeted.size()));
    generator.setResolution(96);
    generator.setTitle(title);
    QPainter painter(&generator);
    sheeted.paint(painter);
    painter.end();
    return out;
}

base::Result<QByteArray> pngOf(const Sheeted& sheeted, double scale)
{
    const QSizeF size = QSizeF(sheeted.size()) * scale;
    if (size.width() * size.height() > kMaxPixels || size.width() > 32000 || size.height() > 32000)
        return base::Error{base::ErrorCode::Usage,
                           base::say("{0} x {1} pixels, at most 32,000 a side expected: take SVG, PDF or CSV",
                                     std::ceil(size.width()), std::ceil(size.height())),
                           "png"};
    QImage image(size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDotsPerMeterX(static_cast<int>(96 * scale / 0.0254));
    image.setDotsPerMeterY(static_cast<int>(96 * scale / 0.0254));
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        painter.scale(scale, scale);
        sheeted.paint(painter);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return base::Error{base::ErrorCode::Io, "the picture could not be written as PNG", {}};
    return bytes;
}

} // namespace

std::optional<PictureFormat> pictureFormat(const QString& fileName)
{
    if (fileName.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        return PictureFormat::Png;
    if (fileName.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return PictureFormat::Svg;
    if (fileName.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return PictureFormat::Pdf;
    return std::nullopt;
}

base::Result<QByteArray> pictureOf(const FigurePage& page, PictureFormat format, const PictureOptions& options)
{
    const Sheeted sheeted(page, Theme::of(options.theme));
    switch (format) {
    case PictureFormat::Svg: return svgOf(sheeted, page.title);
    case PictureFormat::Png: return pngOf(sheeted, options.scale);
    case PictureFormat::Pdf: break;
    }
    return writePdf({{QSizeF(sheeted.size()), [&](QPainter& painter) { sheeted.paint(painter); }}}, page.title);
}

base::Status writeFigure(const numbers::Figure& figure, const QString& title, const QString& path,
                         const PictureOptions& options)
{
    const auto format = pictureFormat(path);
    if (!format)
        return numbers::writeSheet(figure.sheet, path.toStdString());
    GB_ASSIGN(const QByteArray bytes, pictureOf(figurePage(figure, title, options.theme), *format, options));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return base::Error{base::ErrorCode::Io, file.errorString().toStdString(), path.toStdString()};
    return {};
}

} // namespace gb::views
