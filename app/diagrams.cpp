#include "diagrams.h"

#include "export/export_diagram.h"
#include "export/page.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

namespace gb::app {
namespace {

views::Detail detailOf(const std::string& name)
{
    return name == "blocks"  ? views::Detail::Blocks
           : name == "chips" ? views::Detail::Chips
           : name == "brief" ? views::Detail::Brief
                             : views::Detail::Full;
}

base::Result<views::DiagramOptions> optionsOf(const cli::ExportStyle& style)
{
    views::DiagramOptions out;
    out.theme = views::themeKindFromName(QString::fromStdString(style.theme), views::ThemeKind::Print);
    out.scale = style.scale;
    out.background = !style.transparent;
    out.ghosts = !style.noGhosts;
    out.caption = !style.noCaption;
    out.captionText = QString::fromStdString(style.caption);
    out.legend = style.legend;
    out.minText = style.minText;
    out.detail = detailOf(style.detail);
    out.select = style.select;
    out.radius = style.radius;
    out.fold = style.fold == "all"     ? views::FoldChoice::All
               : style.fold == "first" ? views::FoldChoice::First
                                       : views::FoldChoice::None;
    out.constants = !style.noConstants;
    out.sideBySide = style.sideBySide;
    if (!style.page.empty()) {
        GB_ASSIGN(out.page, views::pageSize(QString::fromStdString(style.page)));
    }
    if (style.overlay == "scale")
        out.overlay = views::OverlayKind::Scale;
    else if (style.overlay == "bits")
        out.overlay = views::OverlayKind::Bits;
    else if (style.overlay == "range")
        out.overlay = views::OverlayKind::Range;
    else if (!style.overlay.empty()) {
        QFile csv(QString::fromStdString(style.overlay));
        if (!csv.open(QIODevice::ReadOnly))
            return base::Error{base::ErrorCode::Io, "scale, bits, range or a CSV file that can be read expected",
                               style.overlay};
        out.overlayCsv = csv.readAll().toStdString();
        out.overlayName = style.overlay;
    }
    return out;
}

} // namespace

base::Result<cli::ExportAnswer> exportDiagrams(const cli::ExportRequest& request, const base::Work& work)
{
    // painting needs fonts, and these an application, but no screen
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "greenbox";
    char* argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);
    const QFileInfo out(QString::fromStdString(request.out));
    const auto format = views::diagramFormat(out.fileName());
    if (!format)
        return base::Error{base::ErrorCode::Usage, "an ending .svg, .pdf, .png, .dot or .json expected", request.out};
    GB_ASSIGN(const views::DiagramOptions options, optionsOf(request.style));
    GB_ASSIGN(const auto files,
              views::exportDiagram(request.recording, request.stages, *format, out.fileName(), options, work));
    QDir().mkpath(out.path());
    GB_ASSIGN(const auto paths, views::writeDiagrams(files, out.path()));
    cli::ExportAnswer answer;
    for (const QString& path : paths)
        answer.paths.push_back(path.toStdString());
    for (const views::DiagramFile& file : files)
        if (!file.note.isEmpty())
            answer.notes.push_back(file.name.toStdString() + ": " + file.note.toStdString());
    return answer;
}

} // namespace gb::app
