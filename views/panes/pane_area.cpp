#include "panes/pane_area.h"

#include "panes/keep_place.h"

#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gb::views {

PaneArea::PaneArea(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_splitter->setChildrenCollapsible(false);
    m_stages = {QString(), QStringLiteral("prepared"), QStringLiteral("converted"), QStringLiteral("exported")};
    for (int i = 0; i < kMaxPanes; ++i)
        makePane(i);
    setPaneCount(m_count);
    connect(&m_shared, &Camera::changed, this, [this] { Q_EMIT zoomChanged(m_shared.zoom()); });
    connect(&m_folds, &FoldState::changed, this,
            [this](int anchor, const ArrangementPtr& before) { folded(&m_folds, anchor, before); });
    connect(&m_folds, &FoldState::failed, this, &PaneArea::said);
    // what a table or the inspector selects is to be seen, too
    connect(m_selection, &Selection::changed, this, [this] { openTo(m_selection->current().node); });
    connect(m_session, &Session::cursorChanged, this, [this] {
        for (int i = 0; i < m_count; ++i)
            if (m_stages[static_cast<std::size_t>(i)].isEmpty())
                refresh(i);
    });
}

void PaneArea::makePane(int index)
{
    auto* made = new GraphPane(&m_shared, m_selection, m_splitter);
    m_panes[static_cast<std::size_t>(index)] = made;
    m_splitter->addWidget(made);
    connect(made, &GraphPane::stageChosen, this, [this, index](const QString& stage) { setStage(index, stage); });
    GraphCanvas* canvas = made->canvas();
    const auto activate = [this, index] { m_active = index; };
    connect(canvas, &GraphCanvas::nodeClicked, this, activate);
    connect(canvas, &GraphCanvas::nodeActivated, this, &PaneArea::nodeActivated);
    connect(canvas, &GraphCanvas::observerClicked, this, &PaneArea::observerClicked);
    connect(canvas, &GraphCanvas::whyRequested, this, &PaneArea::whyRequested);
    connect(canvas, &GraphCanvas::said, this, &PaneArea::said);
    connect(canvas, &GraphCanvas::minimapShown, this, &PaneArea::minimapShown);
    connect(canvas, &GraphCanvas::commandRequested, this, [this, index](CanvasCommand command) {
        m_active = index;
        Q_EMIT commandRequested(command);
    });
    connect(canvas, &GraphCanvas::menuRequested, this, activate);
    connect(canvas, &GraphCanvas::subgraphRequested, this,
            [this, index](ir::NodeId node) { openSubgraphOf(index, node); });
    connect(made, &GraphPane::graphLeft, this, [this, index] { showGraph(index, {}); });
    connect(canvas, &GraphCanvas::foldRequested, this, [this, index](int group) { foldState(index)->toggle(group); });
    FoldState* folds = &m_ownState[static_cast<std::size_t>(index)].folds;
    connect(folds, &FoldState::failed, this, &PaneArea::said);
    connect(&m_ownState[static_cast<std::size_t>(index)].picture, &PanePicture::made, this,
            [this, index](const DrawnPicture& drawn) { showDrawn(index, drawn); });
    connect(folds, &FoldState::changed, this,
            [this, folds](int anchor, const ArrangementPtr& before) { folded(folds, anchor, before); });
    connect(&m_own[static_cast<std::size_t>(index)], &Camera::changed, this, [this, index] {
        if (!m_linked && index == m_active)
            Q_EMIT zoomChanged(m_own[static_cast<std::size_t>(index)].zoom());
    });
}

void PaneArea::setScene(ScenePtr scene)
{
    m_scene = std::move(scene);
    forEachFold([this](FoldState& folds) { folds.setScene(m_scene); });
    for (Own& own : m_ownState) {
        own.made.reset();
        own.graph.clear();
        own.keeps = own.moves = false;
    }
    for (int i = 0; i < kMaxPanes; ++i)
        useCamera(i);
    m_move = {};
    QStringList stages;
    for (const QString& stage : stageNames())
        if (m_session->recording() && m_session->recording()->stageEvent(stage.toStdString()) >= 0)
            stages << stage;
    for (GraphPane* p : m_panes) {
        p->setStages(stages);
        p->setGraph({});
    }
    for (int i = 0; i < kMaxPanes; ++i)
        m_panes[static_cast<std::size_t>(i)]->setStage(m_stages[static_cast<std::size_t>(i)]);
    refreshAll();
}

void PaneArea::setTheme(ThemeKind kind)
{
    m_theme = kind;
    for (GraphPane* p : m_panes)
        p->canvas()->setTheme(kind);
}

void PaneArea::setPaneCount(int count)
{
    const bool atStart = activePane()->canvas()->isAtStart();
    m_count = std::clamp(count, 1, kMaxPanes);
    for (int i = 0; i < kMaxPanes; ++i)
        m_panes[static_cast<std::size_t>(i)]->setVisible(i < m_count);
    m_active = std::min(m_active, m_count - 1);
    m_splitter->setSizes(QList<int>(kMaxPanes, 1000));
    refreshAll();
    if (atStart && m_scene) // once they have their widths
        QTimer::singleShot(0, this, &PaneArea::showStart);
}

void PaneArea::setStage(int pane, const QString& stage)
{
    m_stages[static_cast<std::size_t>(pane)] = stage;
    m_panes[static_cast<std::size_t>(pane)]->setStage(stage);
    refresh(pane);
}

bool PaneArea::annotationsWereRecorded() const
{
    // a recording without an annotate pass (one that only holds stages) says nothing about labels
    return m_session->recording()->stageEvent("annotated") >= 0 || m_session->recording()->failure.has_value();
}

void PaneArea::refresh(int index)
{
    GraphPane* shown = m_panes[static_cast<std::size_t>(index)];
    if (index >= m_count)
        return;
    Own& own = m_ownState[static_cast<std::size_t>(index)];
    if (!m_scene || !m_session->recording()) {
        own.picture.cancel();
        shown->canvas()->setPicture(nullptr);
        shown->setSummary({});
        return;
    }
    const QString& stage = m_stages[static_cast<std::size_t>(index)];
    const int stageEvent = stage.isEmpty() ? -1 : m_session->recording()->stageEvent(stage.toStdString());
    if (!stage.isEmpty() && stageEvent < 0) {
        own.picture.cancel();
        shown->canvas()->setPicture(nullptr);
        shown->setSummary(tr("the run did not get to this stage"));
        return;
    }
    const int event = eventOf(index);
    const trace::MomentPtr moment = momentOf(index);
    if (!moment->graphs.contains(own.graph)) {
        own.picture.cancel();
        shown->canvas()->setPicture(nullptr);
        shown->setSummary(tr("there is no such sub-graph at this moment"));
        return;
    }
    const OwnScene wanted{own.graph, m_compact ? event : -1};
    if ((m_compact || !own.graph.empty()) && own.made != wanted) {
        own.picture.cancel();
        makeOwnScene(index, wanted); // and comes back
        return;
    }
    FoldState* folds = foldState(index);
    PictureRequest request{folds->scene(), moment, own.graph, event, {}, m_overlayKind, m_times};
    request.options.ghosts = m_ghosts && !m_compact;
    request.options.labels = m_labels;
    request.options.before = m_diff ? stageBefore(event) : nullptr;
    request.options.arrangement = folds->arrangement();
    request.options.overlay = m_overlay;
    request.options.annotationsRecorded = annotationsWereRecorded();
    own.picture.want(std::move(request));
}

int PaneArea::eventOf(int index) const
{
    const QString& stage = m_stages[static_cast<std::size_t>(index)];
    const int event = stage.isEmpty() ? -1 : m_session->recording()->stageEvent(stage.toStdString());
    return event < 0 ? m_session->cursor() : event;
}

trace::MomentPtr PaneArea::momentOf(int index)
{
    const QString& stage = m_stages[static_cast<std::size_t>(index)];
    const bool atCursor = stage.isEmpty() || m_session->recording()->stageEvent(stage.toStdString()) < 0;
    return atCursor ? m_session->moment() : m_session->momentOfStage(stage);
}

/// A picture is there: what waited for it is done.
void PaneArea::showDrawn(int index, const DrawnPicture& drawn)
{
    Own& own = m_ownState[static_cast<std::size_t>(index)];
    GraphCanvas* canvas = m_panes[static_cast<std::size_t>(index)]->canvas();
    PicturePtr before = canvas->picture();
    const bool keeps = std::exchange(own.keeps, false) && before && (index == m_active || !m_linked);
    QPointF move = index == m_active ? std::exchange(m_move, {}) : QPointF();
    if (keeps && move.isNull())
        move = keptPlace(*before, *drawn.picture, canvas->visibleScene(), canvas->selectedNode());
    if (!move.isNull())
        canvas->camera()->set(canvas->camera()->center() + move, canvas->camera()->zoom());
    const bool moves = std::exchange(own.moves, false);
    canvas->setPicture(drawn.picture, drawn.grid, moves ? std::optional(move) : std::nullopt);
    own.picture.discard(std::move(before));
    m_panes[static_cast<std::size_t>(index)]->setSummary(drawn.summary);
    if (std::exchange(own.toStart, false))
        canvas->showStart();
    if (std::exchange(own.toTouched, false) && !drawn.picture->touched.empty())
        canvas->reveal(drawn.picture->touched.front()); // a folded module stands for the nodes in it
    if (m_toShow != ir::kNoNode)
        canvas->reveal(m_toShow);
    if (!busy())
        m_toShow = ir::kNoNode;
}

bool PaneArea::busy() const
{
    return std::any_of(m_ownState.begin(), m_ownState.end(),
                       [](const Own& own) { return own.awaitsPicture() || own.folds.busy(); })
           || m_folds.busy();
}

void PaneArea::refreshAll()
{
    for (int i = 0; i < m_count; ++i)
        refresh(i);
}

void PaneArea::revealTouched()
{
    const trace::Event* e = m_session->current();
    if (!e || e->nodes.empty())
        return;
    for (int i = 0; i < m_count; ++i) {
        GraphCanvas* canvas = m_panes[static_cast<std::size_t>(i)]->canvas();
        Own& own = m_ownState[static_cast<std::size_t>(i)];
        if (!m_stages[static_cast<std::size_t>(i)].isEmpty())
            continue;
        own.toTouched = own.awaitsPicture();
        if (!own.toTouched && canvas->picture() && !canvas->picture()->touched.empty())
            canvas->reveal(canvas->picture()->touched.front());
    }
}

void PaneArea::setCamerasLinked(bool linked)
{
    if (linked == m_linked)
        return;
    m_linked = linked;
    for (int i = 0; i < kMaxPanes; ++i) {
        Camera& own = m_own[static_cast<std::size_t>(i)];
        if (m_ownState[static_cast<std::size_t>(i)].graph.empty())
            own.set(m_shared.center(), m_shared.zoom());
        useCamera(i);
    }
}

FoldState* PaneArea::foldState(int pane)
{
    Own& own = m_ownState[static_cast<std::size_t>(pane)];
    return m_foldsLinked && !m_compact && own.graph.empty() ? &m_folds : &own.folds;
}

void PaneArea::forEachFold(const std::function<void(FoldState&)>& visit)
{
    visit(m_folds);
    for (Own& own : m_ownState)
        visit(own.folds);
}

/// New places: what was folded or unfolded stays where it was on the screen.
void PaneArea::folded(const FoldState* state, int anchor, const ArrangementPtr& before)
{
    const GroupBox* was = before && anchor >= 0 ? before->boxOf(anchor) : nullptr;
    const GroupBox* is = anchor >= 0 ? state->arrangement()->boxOf(anchor) : nullptr;
    if (was && is) {
        // the picture may come later: several arrangements add up
        m_move += QPointF(is->rect.center().x - was->rect.center().x, is->rect.y - was->rect.y);
        if (foldState(m_active) != state)
            m_move = {};
    }
    for (int i = 0; i < m_count; ++i)
        if (foldState(i) == state) {
            m_ownState[static_cast<std::size_t>(i)].keeps = anchor < 0;
            refresh(i);
        }
}

void PaneArea::showNode(ir::NodeId node)
{
    m_selection->selectNode(node);
    openTo(node);
    if (m_toShow != ir::kNoNode)
        return;
    for (int i = 0; i < m_count; ++i)
        m_panes[static_cast<std::size_t>(i)]->canvas()->reveal(node);
}

void PaneArea::openTo(ir::NodeId node)
{
    bool waits = false;
    for (int i = 0; i < m_count && node != ir::kNoNode && groupOfId(node) < 0; ++i)
        waits |= foldState(i)->unfoldTo(node);
    if (waits)
        m_toShow = node;
}

void PaneArea::setCompact(bool compact)
{
    m_compact = compact;
    for (Own& own : m_ownState) {
        own.made.reset();
        own.keeps = own.moves = true;
        own.jobs.cancel();
        if (own.graph.empty())
            own.folds.copy(m_folds);
    }
    refreshAll();
}

void PaneArea::setFoldsLinked(bool linked)
{
    if (linked == m_foldsLinked)
        return;
    m_foldsLinked = linked;
    for (Own& own : m_ownState)
        if (own.graph.empty())
            own.folds.copy(m_folds);
    refreshAll();
}

void PaneArea::setSelectionLinked(bool linked)
{
    for (int i = 0; i < kMaxPanes; ++i) {
        Selection& own = m_ownState[static_cast<std::size_t>(i)].selection;
        own.set(m_selection->current());
        m_panes[static_cast<std::size_t>(i)]->canvas()->setSelection(linked ? m_selection : &own);
    }
}

void PaneArea::setConstants(bool shown)
{
    forEachFold([shown](FoldState& folds) { folds.setConstants(shown); });
}

void PaneArea::unfoldAll()
{
    foldState(m_active)->unfoldAll();
}

void PaneArea::foldAll()
{
    foldState(m_active)->foldAll();
}

void PaneArea::foldAsFirst()
{
    foldState(m_active)->foldAsFirst();
}

void PaneArea::showMinimap(bool show)
{
    for (GraphPane* p : m_panes)
        p->canvas()->showMinimap(show);
}

void PaneArea::visitChange(bool next)
{
    activePane()->canvas()->visitChange(next);
}

void PaneArea::setOverlayKind(OverlayKind kind)
{
    m_overlayKind = kind;
    m_overlay = nullptr;
    refreshAll();
}

void PaneArea::setOverlay(const OverlayPtr& overlay)
{
    m_overlayKind = OverlayKind::None;
    m_overlay = overlay;
    refreshAll();
}

void PaneArea::setLabels(bool labels)
{
    m_labels = labels;
    refreshAll();
}

/// The end of the last stage before an event.
trace::MomentPtr PaneArea::stageBefore(int event)
{
    QString before;
    for (const QString& stage : stageNames())
        if (const int end = m_session->recording()->stageEvent(stage.toStdString()); end >= 0 && end < event)
            before = stage;
    return before.isEmpty() ? nullptr : m_session->momentOfStage(before);
}

void PaneArea::setDiff(bool diff)
{
    m_diff = diff;
    refreshAll();
}

void PaneArea::hideChosen()
{
    const NodeSet chosen = activePane()->canvas()->chosen();
    foldState(m_active)->hide(chosen);
}

void PaneArea::unhide()
{
    foldState(m_active)->unhide();
}

void PaneArea::undoView()
{
    foldState(m_active)->undo();
}

void PaneArea::redoView()
{
    foldState(m_active)->redo();
}

void PaneArea::setCanvasSettings(const CanvasSettings& settings)
{
    for (GraphPane* p : m_panes)
        p->canvas()->setSettings(settings);
}

void PaneArea::setGhosts(bool ghosts)
{
    m_ghosts = ghosts;
    refreshAll();
}

void PaneArea::fitAll()
{
    activePane()->canvas()->fitAll();
}

void PaneArea::showStart()
{
    m_move = {};
    for (int i = 0; i < m_count; ++i) {
        Own& own = m_ownState[static_cast<std::size_t>(i)];
        own.toStart = own.awaitsPicture();
        if (!own.toStart)
            m_panes[static_cast<std::size_t>(i)]->canvas()->showStart();
    }
}

void PaneArea::frameSelection()
{
    activePane()->canvas()->frameSelection();
}

void PaneArea::zoomBy(double factor)
{
    Camera* camera = activePane()->canvas()->camera();
    camera->zoomAt(camera->center(), factor);
}

void PaneArea::zoomToHundred()
{
    Camera* camera = activePane()->canvas()->camera();
    camera->set(camera->center(), 1.0);
}

} // namespace gb::views
