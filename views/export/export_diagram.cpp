#include "export/export_diagram.h"

#include "base/message.h"
#include "export/dot_writer.h"
#include "export/model_explorer.h"
#include "export/pdf_pages.h"
#include "export/png.h"
#include "export/sheet.h"
#include "export/speaker_notes.h"
#include "export/svg_surface.h"

#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <iterator>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

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
    const QSize size = (sheet.size() * options.scale).toSize().expandedTo({1, 1});
    GB_TRY(fitsPng(size));
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(options.scale, options.scale);
    paintOn(painter, sheet, options);
    painter.end();
    return encodePng(std::move(image), options.scale);
}

base::Result<QByteArray> render(const Sheet& sheet, DiagramFormat format, const DiagramOptions& options)
{
    switch (format) {
    case DiagramFormat::Svg: return svg(sheet, options);
    case DiagramFormat::Png: return png(sheet, options);
    default: return toDot(*sheet.parts.front().picture, Theme::of(options.theme), sheet.title);
    }
}

/// "NAME-what.ending" of "NAME.svg".
QString besides(const QString& fileName, const QString& what, DiagramFormat format, const QString& ending)
{
    QString base = fileName;
    if (base.endsWith(suffix(format), Qt::CaseInsensitive))
        base.chop(suffix(format).size());
    return QStringLiteral("%1-%2%3").arg(base, what, ending);
}

/// The graphs, and where numbers are laid over them these in a file beside it.
base::Result<std::vector<DiagramFile>> collection(const trace::RecordingPtr& recording,
                                                  const std::vector<Frame>& frames, const QString& fileName,
                                                  DiagramOptions options, const base::Work& work)
{
    options.fold = FoldChoice::None;
    options.folding.reset();
    options.constants = true;
    options.sideBySide = false;
    options.viewport = {};
    GB_ASSIGN(const std::vector<Sheet> sheets, makeSheets(recording, frames, options, work));
    trace::Replay replay(recording);
    std::vector<ModelExplorerGraph> graphs;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(frames[i].event));
        const auto facts = moment->graphs.find(options.graph);
        if (facts != moment->graphs.end())
            graphs.push_back({frames[i].shortName(), facts->second, sheets[i].parts.front().picture});
    }
    std::vector<DiagramFile> out{
        {fileName, QByteArray::fromStdString(toModelExplorer(recording->header.model, graphs)), {}}};
    if (const std::string data = toModelExplorerData(graphs); !data.empty())
        out.push_back({besides(fileName, QStringLiteral("node-data"), DiagramFormat::ModelExplorer,
                               suffix(DiagramFormat::ModelExplorer)),
                       QByteArray::fromStdString(data),
                       {}});
    return out;
}

/// The moments' pictures, in the order of the frames: a sheet each, or all on one.
std::vector<PicturePtr> picturesOf(const std::vector<Sheet>& sheets)
{
    std::vector<PicturePtr> out;
    for (const Sheet& sheet : sheets)
        std::ranges::copy(sheet.pictures(), std::back_inserter(out));
    return out;
}

base::Result<std::vector<DiagramFile>> filesOf(const trace::Recording& recording, const std::vector<Sheet>& sheets,
                                               DiagramFormat format, const QString& fileName,
                                               const DiagramOptions& options, const base::Work& work)
{
    std::vector<DiagramFile> out;
    if (format == DiagramFormat::Pdf) {
        std::vector<PdfPage> pages;
        for (const Sheet& sheet : sheets)
            pages.push_back({sheet.size(), [&](QPainter& painter) { paintOn(painter, sheet, options); }});
        out.push_back({fileName, writePdf(pages, QString::fromStdString(recording.header.model)),
                       textNote(sheets.front().textSize, options)});
        return out;
    }
    for (const Sheet& sheet : sheets) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        GB_ASSIGN(QByteArray bytes, render(sheet, format, options));
        const QString name = QString::fromStdString(sheet.name);
        out.push_back({sheets.size() == 1 ? fileName : besides(fileName, name, format, suffix(format)),
                       std::move(bytes), format == DiagramFormat::Dot ? QString() : textNote(sheet.textSize, options)});
    }
    return out;
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
    GB_ASSIGN(const std::vector<Frame> frames, framesOfStages(*recording, stages));
    return exportFrames(std::move(recording), frames, format, fileName, options, std::move(work));
}

base::Result<std::vector<DiagramFile>> exportFrames(trace::RecordingPtr recording, const std::vector<Frame>& frames,
                                                    DiagramFormat format, const QString& fileName,
                                                    const DiagramOptions& options, base::Work work)
{
    if (!recording || frames.empty())
        return Error{ErrorCode::NotFound, "there is no recording to draw", {}};
    if (!(options.scale >= 1 && options.scale <= 4))
        return Error{ErrorCode::Usage, say("scale {0}, 1 to 4 expected", options.scale), "png"};
    if (format == DiagramFormat::ModelExplorer)
        return collection(recording, frames, fileName, options, work);
    std::vector<DiagramFile> out;
    GB_ASSIGN(const std::vector<Sheet> sheets, makeSheets(recording, frames, options, work));
    GB_ASSIGN(out, filesOf(*recording, sheets, format, fileName, options, work));
    if (options.notes) {
        GB_ASSIGN(QByteArray notes, speakerNotes(recording, frames, picturesOf(sheets), work));
        out.push_back(
            {besides(fileName, QStringLiteral("notes"), format, QStringLiteral(".md")), std::move(notes), {}});
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
