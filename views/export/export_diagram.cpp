#include "export/export_diagram.h"

#include "base/message.h"
#include "export/dot_writer.h"
#include "export/model_explorer.h"
#include "export/pdf_pages.h"
#include "export/sheet.h"
#include "export/svg_surface.h"

#include <QBuffer>
#include <QCoreApplication>
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

constexpr std::array kStageNames{"exported", "folded", "annotated", "prepared", "calibrated", "converted"};
/// A PNG beyond this many pixels is refused by name, not by running out of memory.
constexpr double kMaxPixels = 256e6;

QString joined(const std::vector<std::string>& names)
{
    QStringList out;
    for (const std::string& name : names)
        out << QString::fromStdString(name);
    return out.join(QStringLiteral(", "));
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

void paintOn(QPainter& painter, const Sheet& sheet, const DiagramOptions& options)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    QPainterSurface surface(&painter);
    paintSheet(surface, sheet, options);
}

QByteArray svg(const Sheet& sheet, const DiagramOptions& options)
{
    QStringList nodes;
    for (const Sheet::Part& part : sheet.parts)
        for (const NodeItem& node : part.picture->nodes)
            if (!node.ghost)
                nodes << node.name;
    SvgSurface surface(QRectF(QPointF(), sheet.size()), sheet.title, nodes.join(QStringLiteral(", ")));
    paintSheet(surface, sheet, options);
    return surface.finish();
}

base::Result<QByteArray> png(const Sheet& sheet, const DiagramOptions& options)
{
    const QSizeF size = sheet.size() * options.scale;
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
    default: return toDot(*sheet.parts.front().picture, Theme::of(options.theme), sheet.title);
    }
}

base::Result<QByteArray> collection(const trace::RecordingPtr& recording, const std::vector<std::string>& stages,
                                    DiagramOptions options, const base::Work& work)
{
    options.fold = FoldChoice::None;
    options.constants = true;
    options.sideBySide = false;
    GB_ASSIGN(const std::vector<Sheet> sheets, makeSheets(recording, stages, options, work));
    trace::Replay replay(recording);
    std::vector<ModelExplorerGraph> graphs;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(recording->stageEvent(stages[i])));
        const auto facts = moment->graphs.find(options.graph);
        if (facts != moment->graphs.end())
            graphs.push_back({stages[i], facts->second, sheets[i].parts.front().picture});
    }
    return QByteArray::fromStdString(toModelExplorer(recording->header.model, graphs));
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

QString textNote(double points, const DiagramOptions& options)
{
    if (options.page.isEmpty() || points <= 0 || points >= options.minText - 0.05)
        return {};
    return QCoreApplication::translate(
               "gb::views::export", "text is %1 pt on the page, %2 expected: take less detail, a selection, a smaller "
                                    "radius or folded modules")
        .arg(points, 0, 'f', 1)
        .arg(options.minText);
}

std::optional<DiagramFormat> diagramFormat(const QString& fileName)
{
    for (const DiagramFormat format :
         {DiagramFormat::Svg, DiagramFormat::Pdf, DiagramFormat::Png, DiagramFormat::Dot, DiagramFormat::ModelExplorer})
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
    case DiagramFormat::ModelExplorer: return QStringLiteral(".json");
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
    std::vector<DiagramFile> out;
    if (format == DiagramFormat::ModelExplorer) {
        GB_ASSIGN(QByteArray bytes, collection(recording, stages, options, work));
        out.push_back({fileName, std::move(bytes), {}});
        return out;
    }
    GB_ASSIGN(const std::vector<Sheet> sheets, makeSheets(recording, stages, options, work));
    if (format == DiagramFormat::Pdf) {
        std::vector<PdfPage> pages;
        for (const Sheet& sheet : sheets)
            pages.push_back({sheet.size(), [&](QPainter& painter) { paintOn(painter, sheet, options); }});
        out.push_back({fileName, writePdf(pages, QString::fromStdString(recording->header.model)),
                       textNote(sheets.front().textSize, options)});
        return out;
    }
    for (const Sheet& sheet : sheets) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        GB_ASSIGN(QByteArray bytes, render(sheet, format, options));
        out.push_back({sheets.size() == 1 ? fileName : frameName(fileName, sheet.stage, format), std::move(bytes),
                       format == DiagramFormat::Dot ? QString() : textNote(sheet.textSize, options)});
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
