#include "export/sheet.h"

#include "base/message.h"
#include "export/crop.h"
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
constexpr double kInset = 24;          ///< of captions
constexpr double kWidestCaption = 900; ///< a narrow graph gets as much room for it
constexpr TextStyle kCaption{FontRole::Title, 1, false};

QString captionOf(const trace::Recording& recording, const Frame& frame, const DiagramOptions& options)
{
    return options.captionText.isEmpty()
               ? QStringLiteral("%1 · %2").arg(QString::fromStdString(recording.header.model), frame.caption)
               : options.captionText;
}

base::Result<ScenePtr> sceneOf(const trace::RecordingPtr& recording, const DiagramOptions& options,
                               ArrangementPtr& arrangement, const base::Work& work)
{
    GB_ASSIGN(const ScenePtr scene, makeScene(recording, options.graph, work));
    Folding folding = firstArrangement(*scene)->folding;
    if (options.fold != FoldChoice::First)
        folding.unfolded.assign(folding.unfolded.size(), options.fold == FoldChoice::None);
    if (options.folding && options.folding->unfolded.size() == folding.unfolded.size())
        folding = *options.folding;
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
        for (const Hull& hull : part.hulls)
            all |= hull.bounds.adjusted(-4, -4, 4, 4).translated(part.offset);
        const double here = smallestText(*part.picture, options.detail);
        smallest = smallest > 0 && here > 0 ? std::min(smallest, here) : std::max(smallest, here);
    }
    if (options.caption) {
        double wanted = 0;
        for (const Sheet::Part& part : sheet.parts)
            wanted = std::max(wanted, part.picture->bounds.left() + part.offset.x() - all.left()
                                          + std::min(textWidth(part.caption, kCaption), kWidestCaption) + 2 * kInset);
        all.adjust(0, -kCaptionHeight, std::max(0.0, wanted - all.width()), 0);
    }
    if (options.legend)
        all.adjust(0, 0, 0, legendHeight(sheet.pictures(), all.width() - 2 * kInset));
    sheet.content = all;
    sheet.page = options.page;
    sheet.textSize = smallest;
}

/// One framing for all: what is at one place on one sheet is there on the next.
void frameAlike(std::vector<Sheet>& sheets)
{
    QRectF all;
    for (const Sheet& sheet : sheets)
        all |= sheet.content;
    for (Sheet& sheet : sheets) {
        sheet.content = all;
        const QRectF room =
            QRectF(QPointF(), sheet.page).adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin);
        sheet.scale = sheet.page.isEmpty() ? 1 : fitInto(all, room).scale;
        sheet.textSize *= sheet.scale * kPointsAPixel;
    }
}

base::Result<PicturePtr> pictureOf(const Scene& scene, const trace::Moment& moment, int event,
                                   const ArrangementPtr& arrangement, const DiagramOptions& options)
{
    ContentOptions content;
    content.ghosts = options.ghosts;
    content.arrangement = arrangement;
    const auto facts = moment.graphs.find(options.graph);
    if (options.overlay != OverlayKind::None && facts != moment.graphs.end())
        content.overlay = makeOverlay(options.overlay, *facts->second, options.times.get());
    if (!options.overlayCsv.empty() && facts != moment.graphs.end()) {
        GB_ASSIGN(CsvOverlay own, readOverlay(options.overlayCsv, options.overlayName, *facts->second->graph));
        content.overlay = std::make_shared<const Overlay>(std::move(own.overlay));
    }
    PicturePtr out = makePicture(scene, moment, event, content);
    if (options.viewport.isEmpty())
        return out;
    const PicturePtr part = cropped(*out, options.viewport.translated(out->bounds.topLeft()));
    if (!part)
        return Error{ErrorCode::NotFound,
                     say("no box lies in the part from ({0}, {1}), {2} x {3} pixels large; the picture has {4} x {5}",
                         options.viewport.x(), options.viewport.y(), options.viewport.width(),
                         options.viewport.height(), out->bounds.width(), out->bounds.height()),
                     "viewport"};
    return part;
}

} // namespace

std::vector<PicturePtr> Sheet::pictures() const
{
    std::vector<PicturePtr> out;
    for (const Part& part : parts)
        out.push_back(part.picture);
    return out;
}

base::Result<std::vector<Sheet>> makeSheets(const trace::RecordingPtr& recording, const std::vector<Frame>& frames,
                                            const DiagramOptions& options, const base::Work& work)
{
    ArrangementPtr arrangement;
    GB_ASSIGN(const ScenePtr scene, sceneOf(recording, options, arrangement, work));
    trace::Replay replay(recording);
    std::vector<Sheet> out;
    for (const Frame& frame : frames) {
        if (work.cancelled())
            return Error{ErrorCode::Cancelled, "the export was cancelled", {}};
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(frame.event));
        GB_ASSIGN(const PicturePtr picture, pictureOf(*scene, *moment, frame.event, arrangement, options));
        Sheet::Part part{picture,
                         {},
                         captionOf(*recording, frame, options),
                         options.hulls ? hullsOf(*picture) : std::vector<Hull>()};
        if (options.sideBySide && !out.empty()) {
            const Sheet::Part& before = out[0].parts.back();
            part.offset.rx() =
                before.picture->bounds.right() + before.offset.x() + kPartGap - part.picture->bounds.left();
            out[0].parts.push_back(std::move(part));
            continue;
        }
        out.push_back({frame.name, part.caption, {part}, {}, {}, 1, 0});
    }
    for (Sheet& sheet : out)
        finish(sheet, options);
    frameAlike(out);
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
        paintOptions.hulls = &part.hulls;
        paint(surface, *part.picture, theme, paintOptions);
        if (options.caption) {
            const QPointF corner(part.picture->bounds.left(), sheet.content.top() + 12 + ascent(kCaption));
            const double room =
                std::max(part.picture->bounds.width(), sheet.parts.size() > 1 ? 0 : sheet.content.width());
            surface.text({corner.x() + kInset, corner.y()}, elided(part.caption, kCaption, room - 2 * kInset), kCaption,
                         theme.ink(Ink::Text));
        }
        if (moved)
            surface.pop();
    }
    if (options.legend) {
        const double width = sheet.content.width() - 2 * kInset;
        const std::vector<PicturePtr> pictures = sheet.pictures();
        paintLegend(surface, pictures, theme,
                    {sheet.content.left() + kInset, sheet.content.bottom() - legendHeight(pictures, width)}, width);
    }
    surface.pop();
}

} // namespace gb::views
