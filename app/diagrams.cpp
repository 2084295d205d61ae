#include "diagrams.h"

#include "export/card.h"
#include "export/export_diagram.h"
#include "export/page.h"
#include "window/cards.h"
#include "window/english.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>

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
    out.hulls = style.sharing;
    out.notes = style.notes;
    out.sideBySide = style.sideBySide;
    if (style.viewport.size() == 4)
        out.viewport = {style.viewport[0], style.viewport[1], style.viewport[2], style.viewport[3]};
    if (!style.page.empty()) {
        GB_ASSIGN(out.page, views::pageSize(QString::fromStdString(style.page)));
    }
    if (style.overlay == "scale")
        out.overlay = views::OverlayKind::Scale;
    else if (style.overlay == "bits")
        out.overlay = views::OverlayKind::Bits;
    else if (style.overlay == "range")
        out.overlay = views::OverlayKind::Range;
    else if (style.overlay == "time")
        out.overlay = views::OverlayKind::Time;
    else if (!style.overlay.empty()) {
        QFile csv(QString::fromStdString(style.overlay));
        if (!csv.open(QIODevice::ReadOnly))
            return base::Error{base::ErrorCode::Io, "scale, bits, range, time or a CSV file that can be read expected",
                               style.overlay};
        out.overlayCsv = csv.readAll().toStdString();
        out.overlayName = style.overlay;
    }
    return out;
}

/// The node of this name in any stage of the run, the last one first.
std::optional<ir::NodeId> findNode(views::Session& session, const std::string& name)
{
    const QStringList stages = views::stageNames();
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
        if (const trace::MomentPtr moment = session.momentOfStage(*stage))
            for (const auto& [path, graph] : moment->graphs)
                if (const ir::Node* node = graph->graph->find(name))
                    return node->id();
    return std::nullopt;
}

base::Result<std::vector<views::DiagramFile>> cardOf(const cli::ExportRequest& request, views::DiagramFormat format,
                                                     const QString& fileName, const views::DiagramOptions& options)
{
    views::Session session;
    session.setRecording(request.recording);
    const auto node = findNode(session, request.node);
    if (!node)
        return base::Error{base::ErrorCode::NotFound, base::say("no stage has a node {0}", request.node),
                           request.recording->header.model};
    views::Explanation explanation(&session);
    if (request.what == "why" && explanation.busy()) {
        QEventLoop loop;
        QObject::connect(&explanation, &views::Explanation::changed, &loop, &QEventLoop::quit);
        loop.exec();
    }
    GB_ASSIGN(const views::Card card,
              request.what == "why" ? whyCardOf(session, explanation, *node) : histogramCardOf(session, *node));
    GB_ASSIGN(views::DiagramFile file, views::exportCard(card, format, fileName, options));
    return std::vector<views::DiagramFile>{std::move(file)};
}

base::Result<std::vector<views::DiagramFile>> filesOf(const cli::ExportRequest& request, views::DiagramFormat format,
                                                      const QString& fileName, const base::Work& work)
{
    GB_ASSIGN(views::DiagramOptions options, optionsOf(request.style));
    options.times = request.times;
    if (request.what != "graph")
        return cardOf(request, format, fileName, options);
    if (request.firstStep == 0 && request.lastStep == 0)
        return views::exportDiagram(request.recording, request.stages, format, fileName, options, work);
    GB_ASSIGN(const std::vector<views::Frame> frames,
              views::framesOfSteps(*request.recording, request.firstStep, request.lastStep));
    return views::exportFrames(request.recording, frames, format, fileName, options, work);
}

} // namespace

base::Result<cli::ExportAnswer> exportDiagrams(const cli::ExportRequest& request, const base::Work& work)
{
    // painting needs fonts, and these an application, but no screen
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "greenbox";
    char* argv[] = {name, nullptr};
    const QApplication application(argc, argv);
    const English english;
    const QFileInfo out(QString::fromStdString(request.out));
    const auto format = views::diagramFormat(out.fileName());
    if (!format)
        return base::Error{base::ErrorCode::Usage, "an ending .svg, .pdf, .png, .dot or .json expected", request.out};
    GB_ASSIGN(const auto files, filesOf(request, *format, out.fileName(), work));
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
