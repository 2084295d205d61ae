#include "export/export_diagram.h"

#include "base/message.h"
#include "export/dot_writer.h"
#include "export/pdf_pages.h"
#include "export/svg_surface.h"
#include "picture/painter.h"
#include "picture/scene.h"

#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

constexpr double kCaptionHeight = 40;
constexpr std::array kStageNames{"exported", "folded", "annotated", "prepared", "calibrated", "converted"};
/// A PNG beyond this many pixels is refused by name, not by running out of memory.
constexpr double kMaxPixels = 256e6;

struct Sheet {
    std::string stage;
    PicturePtr picture;
    QString caption;
    QRectF area; ///< the picture's bounds and the caption above
};

QString joined(const std::vector<std::string>& names)
{
    QStringList out;
    for (const std::string& name : names)
        out << QString::fromStdString(name);
    return out.join(QStringLiteral(", "));
}

QString captionOf(const trace::Recording& recording, const std::string& stage)
{
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(recording.header.model), QString::fromStdString(stage));
}

base::Status checkStages(const trace::Recording& recording, const std::vector<std::string>& stages)
{
    if (stages.empty())
        return Error{ErrorCode::Usage, "no stage given, one or more expected", {}};
    for (const std::string& stage : stages) {
        if (recording.stageEvent(stage) >= 0)
            continue;
        return Error{ErrorCode::NotFound,
                     say("the run has no stage \"{0}\"; it has {1}", stage, joined(recording.stages()).toStdString()),
                     recording.header.model};
    }
    return {};
}

base::Result<std::vector<Sheet>> makeSheets(const trace::RecordingPtr& recording,
                                            const std::vector<std::string>& stages, const DiagramOptions& options,
                                            const base::Work& work)
{
    GB_ASSIGN(const ScenePtr scene, makeScene(recording, options.graph, work, {true, -1}));
    trace::Replay replay(recording);
    std::vector<Sheet> out;
    for (const std::string& stage : stages) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        const int event = recording->stageEvent(stage);
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(event));
        PictureOptions pictureOptions;
        pictureOptions.ghosts = options.ghosts;
        Sheet sheet{stage, makePicture(*scene, *moment, event, pictureOptions), captionOf(*recording, stage), {}};
        sheet.area = sheet.picture->bounds;
        if (options.caption) {
            const double wanted = textWidth(sheet.caption, {FontRole::Title, 1, false}) + 48;
            sheet.area.adjust(0, -kCaptionHeight, std::max(0.0, wanted - sheet.area.width()), 0);
        }
        out.push_back(std::move(sheet));
    }
    return out;
}

void paintSheet(Surface& surface, const Sheet& sheet, const DiagramOptions& options)
{
    const Theme& theme = Theme::of(options.theme);
    if (options.background) {
        QPainterPath page;
        page.addRect(sheet.area);
        surface.path(page, Qt::NoPen, theme.ink(Ink::Page));
    }
    if (options.caption) {
        const TextStyle style{FontRole::Title, 1, false};
        surface.text(sheet.area.topLeft() + QPointF(24, 12 + ascent(style)), sheet.caption, style,
                     theme.ink(Ink::Text));
    }
    PaintOptions paintOptions;
    paintOptions.background = false;
    paint(surface, *sheet.picture, theme, paintOptions);
}

void paintOn(QPainter& painter, const Sheet& sheet, const DiagramOptions& options)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.translate(-sheet.area.topLeft());
    QPainterSurface surface(&painter);
    paintSheet(surface, sheet, options);
}

QByteArray svg(const Sheet& sheet, const DiagramOptions& options)
{
    QStringList nodes;
    for (const NodeItem& node : sheet.picture->nodes)
        if (!node.ghost)
            nodes << node.name;
    SvgSurface surface(sheet.area, sheet.caption, nodes.join(QStringLiteral(", ")));
    paintSheet(surface, sheet, options);
    return surface.finish();
}

base::Result<QByteArray> png(const Sheet& sheet, const DiagramOptions& options)
{
    const QSizeF size = sheet.area.size() * options.scale;
    if (size.width() * size.height() > kMaxPixels || size.width() > 32000 || size.height() > 32000)
        return Error{
            ErrorCode::Usage,
            say("{0} x {1} pixels, at most 32,000 a side and 256 million expected: take SVG or PDF, or a smaller scale",
                std::ceil(size.width()), std::ceil(size.height())),
            "png"};
    QImage image(size.toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.setDotsPerMeterX(static_cast<int>(96 * options.scale / 0.0254));
    image.setDotsPerMeterY(static_cast<int>(96 * options.scale / 0.0254));
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.scale(options.scale, options.scale);
        paintOn(painter, sheet, options);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return Error{ErrorCode::Io, "the picture could not be written as PNG", {}};
    return bytes;
}

base::Result<QByteArray> render(const Sheet& sheet, DiagramFormat format, const DiagramOptions& options)
{
    switch (format) {
    case DiagramFormat::Svg: return svg(sheet, options);
    case DiagramFormat::Png: return png(sheet, options);
    case DiagramFormat::Dot: return toDot(*sheet.picture, Theme::of(options.theme), sheet.caption);
    case DiagramFormat::Pdf: break;
    }
    return writePdf({{sheet.area.size(), [&](QPainter& painter) { paintOn(painter, sheet, options); }}}, sheet.caption);
}

QString frameName(const QString& fileName, const std::string& stage, DiagramFormat format)
{
    const auto place =
        std::find_if(kStageNames.begin(), kStageNames.end(), [&](const char* name) { return stage == name; });
    const auto number = place - kStageNames.begin() + 1;
    QString base = fileName;
    if (base.endsWith(suffix(format), Qt::CaseInsensitive))
        base.chop(suffix(format).size());
    return QStringLiteral("%1-%2-%3%4")
        .arg(base)
        .arg(number, 2, 10, QLatin1Char('0'))
        .arg(QString::fromStdString(stage), suffix(format));
}

} // namespace

std::optional<DiagramFormat> diagramFormat(const QString& fileName)
{
    for (const DiagramFormat format : {DiagramFormat::Svg, DiagramFormat::Pdf, DiagramFormat::Png, DiagramFormat::Dot})
        if (fileName.endsWith(suffix(format), Qt::CaseInsensitive))
            return format;
    return std::nullopt;
}

QString suffix(DiagramFormat format)
{
    switch (format) {
    case DiagramFormat::Svg: return QStringLiteral(".svg");
    case DiagramFormat::Pdf: return QStringLiteral(".pdf");
    case DiagramFormat::Png: return QStringLiteral(".png");
    case DiagramFormat::Dot: break;
    }
    return QStringLiteral(".dot");
}

base::Result<std::vector<DiagramFile>> exportDiagram(trace::RecordingPtr recording,
                                                     const std::vector<std::string>& stages, DiagramFormat format,
                                                     const QString& fileName, const DiagramOptions& options,
                                                     base::Work work)
{
    if (!recording)
        return Error{ErrorCode::NotFound, "there is no recording to draw", {}};
    GB_TRY(checkStages(*recording, stages));
    if (!(options.scale >= 1 && options.scale <= 4))
        return Error{ErrorCode::Usage, say("scale {0}, 1 to 4 expected", options.scale), "png"};
    GB_ASSIGN(const std::vector<Sheet> sheets, makeSheets(recording, stages, options, work));
    std::vector<DiagramFile> out;
    if (format == DiagramFormat::Pdf) {
        std::vector<PdfPage> pages;
        for (const Sheet& sheet : sheets)
            pages.push_back({sheet.area.size(), [&](QPainter& painter) { paintOn(painter, sheet, options); }});
        out.push_back({fileName, writePdf(pages, QString::fromStdString(recording->header.model))});
        return out;
    }
    for (const Sheet& sheet : sheets) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        GB_ASSIGN(QByteArray bytes, render(sheet, format, options));
        out.push_back({sheets.size() == 1 ? fileName : frameName(fileName, sheet.stage, format), std::move(bytes)});
    }
    return out;
}

base::Result<std::vector<QString>> writeDiagrams(const std::vector<DiagramFile>& files, const QString& folder)
{
    std::vector<QString> out;
    for (const DiagramFile& file : files) {
        const QString path = QDir(folder).filePath(file.name);
        QSaveFile target(path);
        if (!target.open(QIODevice::WriteOnly) || target.write(file.bytes) != file.bytes.size() || !target.commit())
            return Error{ErrorCode::Io, say("cannot be written: {0}", target.errorString().toStdString()),
                         path.toStdString()};
        out.push_back(path);
    }
    return out;
}

} // namespace gb::views
