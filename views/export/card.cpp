#include "export/card.h"

#include "base/message.h"
#include "export/page.h"
#include "export/pdf_pages.h"
#include "export/png.h"
#include "picture/text_measure.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <memory>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

constexpr double kMargin = 24;
constexpr double kCaptionHeight = 36;
constexpr TextStyle kCaption{FontRole::Title, 1, false};

/// A card with its caption on its page.
struct Placed {
    Card card;
    DiagramOptions options;
    QString caption;

    Placed(Card of, const DiagramOptions& with)
        : card(std::move(of))
        , options(with)
        , caption(!with.caption                ? QString()
                  : with.captionText.isEmpty() ? card.title
                                               : with.captionText)
    {
    }
    [[nodiscard]] double captionHeight() const { return caption.isEmpty() ? 0 : kCaptionHeight; }
    [[nodiscard]] QSizeF content() const
    {
        const double wide = caption.isEmpty() ? 0 : textWidth(caption, kCaption);
        return {std::max(card.size.width(), wide), card.size.height() + captionHeight()};
    }
    [[nodiscard]] QSizeF size() const
    {
        return options.page.isEmpty() ? content() + QSizeF(2 * kMargin, 2 * kMargin) : options.page;
    }
    [[nodiscard]] Fit fit() const
    {
        return fitInto(QRectF(QPointF(), content()),
                       QRectF(QPointF(), size()).adjusted(kMargin, kMargin, -kMargin, -kMargin));
    }
    void paint(QPainter& painter) const
    {
        const Theme& theme = Theme::of(options.theme);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        if (options.background)
            painter.fillRect(QRectF(QPointF(), size()), theme.ink(Ink::Page));
        const Fit at = fit();
        painter.save();
        painter.translate(at.offset);
        painter.scale(at.scale, at.scale);
        if (!caption.isEmpty()) {
            painter.setPen(theme.ink(Ink::Text));
            painter.setFont(fontOf(kCaption));
            painter.drawText(QPointF(0, ascent(kCaption)), caption);
        }
        painter.translate(0, captionHeight());
        card.paint(painter, theme);
        painter.restore();
    }
};

QByteArray svgOf(const Placed& placed)
{
    QByteArray out;
    QBuffer buffer(&out);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(placed.size().toSize());
    generator.setViewBox(QRectF(QPointF(), placed.size()));
    generator.setTitle(placed.card.title);
    QPainter painter(&generator);
    placed.paint(painter);
    painter.end();
    return out;
}

base::Result<QByteArray> pngOf(const Placed& placed)
{
    const QSize size = (placed.size() * placed.options.scale).toSize().expandedTo({1, 1});
    GB_TRY(fitsPng(size));
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(placed.options.scale, placed.options.scale);
    placed.paint(painter);
    painter.end();
    return encodePng(image, placed.options.scale);
}

} // namespace

base::Result<DiagramFile> exportCard(const Card& card, DiagramFormat format, const QString& fileName,
                                     const DiagramOptions& options)
{
    const Placed placed(card, options);
    DiagramFile out{fileName, {}, textNote(card.textSize * placed.fit().scale * kPointsAPixel, options)};
    switch (format) {
    case DiagramFormat::Svg: out.bytes = svgOf(placed); return out;
    case DiagramFormat::Pdf:
        out.bytes = writePdf({{placed.size(), [&](QPainter& painter) { placed.paint(painter); }}}, card.title);
        return out;
    case DiagramFormat::Png: {
        GB_ASSIGN(out.bytes, pngOf(placed));
        return out;
    }
    default:
        return Error{ErrorCode::Usage, "only a graph can be written so: .svg, .pdf or .png expected",
                     fileName.toStdString()};
    }
}

Card whyCard(const QString& title, std::function<QString(const Theme&)> html, double width)
{
    const auto documentOf = [html = std::move(html), width](const Theme& theme) {
        auto document = std::make_unique<QTextDocument>();
        document->setDocumentMargin(0);
        document->setDefaultFont(Theme::font(FontRole::NodeText));
        document->setHtml(html(theme));
        document->setTextWidth(width);
        return document;
    };
    Card out;
    out.title = title;
    out.size = {width, std::ceil(documentOf(Theme::of(ThemeKind::Print))->size().height())};
    out.textSize = Theme::font(FontRole::NodeText).pixelSize();
    out.paint = [documentOf](QPainter& painter, const Theme& theme) {
        const auto document = documentOf(theme);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette = theme.palette();
        document->documentLayout()->draw(&painter, context);
    };
    return out;
}

} // namespace gb::views
