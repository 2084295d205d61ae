#include "export/pdf_pages.h"

#include "export/fixed_hash_seed.h"

#include <QBuffer>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <cctype>

namespace gb::views {
namespace {

constexpr int kDotsPerInch = 96;

/// Overwrites in place: offsets in the cross-reference table stay true.
void overwrite(QByteArray& pdf, const QByteArray& key, char open, char close, char with)
{
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        const qsizetype from = pdf.indexOf(open, at);
        const qsizetype to = pdf.indexOf(close, from);
        if (from < 0 || to < 0 || to - from > 200)
            continue;
        for (qsizetype i = from + 1; i < to; ++i)
            if (std::isalnum(static_cast<unsigned char>(pdf[i])))
                pdf[i] = with;
    }
}

void fixDates(QByteArray& pdf)
{
    for (const QByteArray key : {"/CreationDate", "/ModDate"}) {
        for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
            const qsizetype from = pdf.indexOf("(D:", at);
            const qsizetype to = pdf.indexOf(')', from);
            if (from < 0 || to < from + 17 || to - from > 40)
                continue;
            const QByteArray fixed =
                QByteArray("(D:20000101000000Z00'00'").left(to - from).leftJustified(to - from, ' ');
            pdf.replace(from, to - from, fixed);
        }
    }
}

QPageSize pageSize(const QSizeF& pixels)
{
    return QPageSize(QSizeF(pixels.width() / kDotsPerInch * 72, pixels.height() / kDotsPerInch * 72), QPageSize::Point,
                     QString(), QPageSize::ExactMatch);
}

} // namespace

QByteArray writePdf(const std::vector<PdfPage>& pages, const QString& title)
{
    QByteArray out;
    QBuffer buffer(&out);
    buffer.open(QIODevice::WriteOnly);
    {
        const FixedHashSeed seed;
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("Greenbox"));
        writer.setResolution(kDotsPerInch * 10);
        writer.setPageMargins(QMarginsF());
        QPainter painter;
        for (const PdfPage& page : pages) {
            writer.setPageSize(pageSize(page.size));
            if (!painter.isActive())
                painter.begin(&writer);
            else
                writer.newPage();
            painter.save();
            painter.scale(10, 10);
            page.paint(painter);
            painter.restore();
        }
    }
    fixDates(out);
    overwrite(out, "/ID [", '<', '>', '0');
    return out;
}

} // namespace gb::views
