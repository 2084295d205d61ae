#include "panes/pane_picture.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace gb::views {
namespace {

/// The text's context and its plurals are those of the pane area, where it is shown.
QString counted(const char* text, int number)
{
    return QCoreApplication::translate("gb::views::PaneArea", text, nullptr, number);
}

QString summaryOf(const trace::GraphMoment& facts)
{
    int labels = 0;
    int observers = 0;
    for (const ir::Node* n = facts.graph->first(); n; n = n->next()) {
        labels += n->annotation() ? 1 : 0;
        observers += n->op() == ir::Op::CallModule ? 1 : 0;
    }
    QStringList parts{
        counted(QT_TRANSLATE_N_NOOP("gb::views::PaneArea", "%n node(s)"), static_cast<int>(facts.graph->size()))};
    if (labels > 0)
        parts << counted(QT_TRANSLATE_N_NOOP("gb::views::PaneArea", "%n annotated"), labels);
    if (observers > 0)
        parts << counted(QT_TRANSLATE_N_NOOP("gb::views::PaneArea", "%n observer(s)"), observers);
    return parts.join(QStringLiteral(" · "));
}

/// How many boxes the arrangement shows, about.
std::size_t boxesOf(const Arrangement& at)
{
    return at.groups.size()
           + static_cast<std::size_t>(std::count(at.standIn.begin(), at.standIn.end(), Arrangement::kShown));
}

const trace::GraphMoment& graphOf(const PictureRequest& request)
{
    return *request.moment->graphs.at(request.graph);
}

} // namespace

DrawnPicture draw(PictureRequest request, const std::stop_token& stop)
{
    DrawnPicture out;
    request.options.stop = stop;
    if (!request.options.overlay)
        request.options.overlay = makeOverlay(request.overlayKind, graphOf(request), request.times.get());
    out.picture = makePicture(*request.scene, *request.moment, request.event, request.options);
    if (!out.picture)
        return out;
    auto grid = std::make_shared<SpatialGrid>();
    grid->build(*out.picture);
    out.grid = std::move(grid);
    out.summary = summaryOf(graphOf(request));
    return out;
}

PanePicture::PanePicture(QObject* parent)
    : QObject(parent)
{
}

void PanePicture::discard(PicturePtr picture)
{
    if (!picture || picture->nodes.size() <= kAtOnce)
        return;
    m_discarded.start(QString(), [old = std::move(picture)](const base::Work&) mutable {
        old.reset();
        return JobRunner::Delivery();
    });
}

void PanePicture::want(PictureRequest request)
{
    const ArrangementPtr& at = request.options.arrangement;
    const bool small =
        graphOf(request).graph->size() + boxesOf(at ? *at : *firstArrangement(*request.scene)) <= 4 * kAtOnce;
    if (small) {
        m_jobs.cancel();
        Q_EMIT made(draw(std::move(request)));
        return;
    }
    m_jobs.start(QString(), [this, request = std::move(request)](const base::Work& work) {
        auto drawn = std::make_shared<DrawnPicture>(draw(request, work.stop));
        return JobRunner::Delivery([this, drawn] {
            if (drawn->picture)
                Q_EMIT made(*drawn);
        });
    });
}

} // namespace gb::views
