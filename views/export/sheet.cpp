#include "export/sheet.h"

#include "base/message.h"
#include "export/legend.h"
#include "export/page.h"
#include "picture/scene.h"
#include "picture/scene_selection.h"

#include <algorithm>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

constexpr double kCaptionHeight = 40;
constexpr double kPartGap = 60;
constexpr double kPageMargin = 24;
constexpr double kInset = 24; ///< of captions

QString captionOf(const trace::Recording& recording, const std::string& stage, const DiagramOptions& options)
{
    return options.captionText.isEmpty() ? QStringLiteral("%1 · %2").arg(QString::fromStdString(recording.header.model),
                                                                         QString::fromStdString(stage))
                                         : options.captionText;
}

base::Result<ScenePtr> sceneOf(const trace::RecordingPtr& recording, const DiagramOptions& options,
                               ArrangementPtr& arrangement, const base::Work& work)
{
    GB_ASSIGN(const ScenePtr scene, makeScene(recording, options.graph, work));
    Folding folding = firstArrangement(*scene)->folding;
    if (options.fold != FoldChoice::First)
        folding.unfolded.assign(folding.unfolded.size(), options.fold == FoldChoice::None);
    folding.constants = options.constants;
    if (!options.select.empty()) {
        GB_ASSIGN(folding, onlyAround(*scene, options.select, options.radius, std::move(folding)));
    }
    GB_ASSIGN(arrangement, arrange(*scene, folding, work));
    return scene;
}

/// The smallest text that is painted at a detail, in scene pixels.
double smallestText(const Picture& picture, Detail detail)
{
    double smallest = 1e9;
    const auto look = [&](const std::vector<TextItem>& texts) {
        for (const TextItem& t : texts)
            if (detail >= t.from && detail <= t.to && !t.runs.empty())
                smallest = std::min(smallest, static_cast<double>(fontOf({t.font, t.scale, t.italic}).pixelSize()));
    };
    for (const NodeItem& node : picture.nodes) {
        look(node.texts);
        if (detail > Detail::Blocks)
            for (const LabelItem& label : node.labels)
                look(label.texts);
    }
    return smallest < 1e9 ? smallest : 0;
}

void finish(Sheet& sheet, const DiagramOptions& options)
{
    QRectF all;
    double smallest = 0;
    for (const Sheet::Part& part : sheet.parts) {
        all |= part.picture->bounds.translated(part.offset);
        const double here = smallestText(*part.picture, options.detail);
        smallest = smallest > 0 && here > 0 ? std::min(smallest, here) : std::max(smallest, here);
    }
    if (options.caption) {
        double wanted = 0;
        for (const Sheet::Part& part : sheet.parts)
            wanted = std::max(wanted, part.picture->bounds.left() + part.offset.x() - all.left()
                                          + textWidth(part.caption, {FontRole::Title, 1, false}) + 2 * kInset);
        all.adjust(0, -kCaptionHeight, std::max(0.0, wanted - all.width()), 0);
    }
    if (options.legend)
        all.adjust(0, 0, 0, legendHeight(*sheet.parts.front().picture, all.width() - 2 * kInset));
    sheet.content = all;
    sheet.page = options.page;
    sheet.scale =
        sheet.page.isEmpty()
            ? 1
            : fitInto(all, QRectF(QPointF(), sheet.page).adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin))
                  .scale;
    sheet.textSize = smallest * sheet.scale * kPointsAPixel;
}

} // namespace

base::Result<std::vector<Sheet>> makeSheets(const trace::RecordingPtr& recording,
                                            const std::vector<std::string>& stages, const DiagramOptions& options,
                                            const base::Work& work)
{
    ArrangementPtr arrangement;
    GB_ASSIGN(const ScenePtr scene, sceneOf(recording, options, arrangement, work));
    trace::Replay replay(recording);
    std::vector<Sheet> out;
    for (const std::string& stage : stages) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        const int event = recording->stageEvent(stage);
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(event));
        PictureOptions pictureOptions;
        pictureOptions.ghosts = options.ghosts;
        pictureOptions.arrangement = arrangement;
        const auto facts = moment->graphs.find(options.graph);
        if (options.overlay != OverlayKind::None && facts != moment->graphs.end())
            pictureOptions.overlay = makeOverlay(options.overlay, *facts->second);
        if (!options.overlayCsv.empty() && facts != moment->graphs.end()) {
            GB_ASSIGN(CsvOverlay own, readOverlay(options.overlayCsv, options.overlayName, *facts->second->graph));
            pictureOptions.overlay = std::make_shared<const Overlay>(std::move(own.overlay));
        }
        Sheet::Part part{
            makePicture(*scene, *moment, event, pictureOptions), {}, captionOf(*recording, stage, options)};
        if (options.sideBySide && !out.empty()) {
            const Sheet::Part& before = out[0].parts.back();
            part.offset.rx() =
                before.picture->bounds.right() + before.offset.x() + kPartGap - part.picture->bounds.left();
            out[0].parts.push_back(std::move(part));
            continue;
        }
        out.push_back({stage, part.caption, {part}, {}, {}, 1, 0});
    }
    for (Sheet& sheet : out)
        finish(sheet, options);
    return out;
}

void paintSheet(Surface& surface, const Sheet& sheet, const DiagramOptions& options)
{
    const Theme& theme = Theme::of(options.theme);
    if (options.background) {
        QPainterPath page;
        page.addRect(QRectF(QPointF(), sheet.size()));
        surface.path(page, Qt::NoPen, theme.ink(Ink::Page));
    }
    Fit fit{1, -sheet.content.topLeft()};
    if (!sheet.page.isEmpty())
        fit = fitInto(sheet.content,
                      QRectF(QPointF(), sheet.page).adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin));
    surface.push(fit.scale, fit.offset);
    for (const Sheet::Part& part : sheet.parts) {
        const bool moved = !part.offset.isNull();
        if (moved)
            surface.push(1, part.offset);
        PaintOptions paintOptions;
        paintOptions.background = false;
        paintOptions.detail = options.detail;
        paint(surface, *part.picture, theme, paintOptions);
        if (options.caption) {
            const TextStyle style{FontRole::Title, 1, false};
            const QPointF corner = part.picture->bounds.topLeft();
            surface.text({corner.x() + kInset, corner.y() - kCaptionHeight + 12 + ascent(style)}, part.caption, style,
                         theme.ink(Ink::Text));
        }
        if (moved)
            surface.pop();
    }
    if (options.legend) {
        const double width = sheet.content.width() - 2 * kInset;
        const Picture& first = *sheet.parts.front().picture;
        paintLegend(surface, first, theme,
                    {sheet.content.left() + kInset, sheet.content.bottom() - legendHeight(first, width)}, width);
    }
    surface.pop();
}

} // namespace gb::views
