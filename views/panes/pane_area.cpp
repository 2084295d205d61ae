#include "panes/pane_area.h"

#include <QVBoxLayout>

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
    connect(canvas, &GraphCanvas::foldRequested, this, [this, index](int group) { foldState(index)->toggle(group); });
    FoldState* folds = &m_ownState[static_cast<std::size_t>(index)].folds;
    connect(folds, &FoldState::failed, this, &PaneArea::said);
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
    for (Own& own : m_ownState)
        own.compactEvent = -1;
    QStringList stages;
    for (const QString& stage : stageNames())
        if (m_session->recording() && m_session->recording()->stageEvent(stage.toStdString()) >= 0)
            stages << stage;
    for (GraphPane* p : m_panes)
        p->setStages(stages);
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
    m_count = std::clamp(count, 1, kMaxPanes);
    for (int i = 0; i < kMaxPanes; ++i)
        m_panes[static_cast<std::size_t>(i)]->setVisible(i < m_count);
    m_active = std::min(m_active, m_count - 1);
    m_splitter->setSizes(QList<int>(kMaxPanes, 1000));
    refreshAll();
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

QString PaneArea::summaryOf(const trace::Moment& moment) const
{
    const trace::GraphMoment& top = moment.top();
    int labels = 0;
    int observers = 0;
    for (const ir::Node* n = top.graph->first(); n; n = n->next()) {
        labels += n->annotation() ? 1 : 0;
        observers += n->op() == ir::Op::CallModule ? 1 : 0;
    }
    QStringList parts{tr("%n node(s)", nullptr, static_cast<int>(top.graph->size()))};
    if (labels > 0)
        parts << tr("%n annotated", nullptr, labels);
    if (observers > 0)
        parts << tr("%n observer(s)", nullptr, observers);
    return parts.join(QStringLiteral(" · "));
}

void PaneArea::refresh(int index)
{
    GraphPane* shown = m_panes[static_cast<std::size_t>(index)];
    if (index >= m_count)
        return;
    if (!m_scene || !m_session->recording()) {
        shown->canvas()->setPicture(nullptr);
        shown->setSummary({});
        return;
    }
    const QString& stage = m_stages[static_cast<std::size_t>(index)];
    const int stageEvent = stage.isEmpty() ? -1 : m_session->recording()->stageEvent(stage.toStdString());
    const bool atCursor = stage.isEmpty() || stageEvent < 0;
    if (!stage.isEmpty() && stageEvent < 0) {
        shown->canvas()->setPicture(nullptr);
        shown->setSummary(tr("the run did not get to this stage"));
        return;
    }
    const int event = atCursor ? m_session->cursor() : stageEvent;
    const trace::MomentPtr moment = atCursor ? m_session->moment() : m_session->momentOfStage(stage);
    FoldState* folds = foldState(index);
    Own& own = m_ownState[static_cast<std::size_t>(index)];
    if (m_compact && own.compactEvent != event)
        makeCompactScene(index, event);
    PictureOptions options;
    options.ghosts = m_ghosts && !m_compact;
    options.arrangement = folds->arrangement();
    options.overlay = m_overlay ? m_overlay : makeOverlay(m_overlayKind, moment->top());
    options.annotationsRecorded = annotationsWereRecorded();
    shown->canvas()->setPicture(makePicture(*folds->scene(), *moment, event, options));
    shown->setSummary(summaryOf(*moment));
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
        // a folded module stands for the nodes in it
        if (m_stages[static_cast<std::size_t>(i)].isEmpty() && canvas->picture() && !canvas->picture()->touched.empty())
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
        own.set(m_shared.center(), m_shared.zoom());
        m_panes[static_cast<std::size_t>(i)]->canvas()->setCamera(linked ? &m_shared : &own);
    }
}

FoldState* PaneArea::foldState(int pane)
{
    return m_foldsLinked && !m_compact ? &m_folds : &m_ownState[static_cast<std::size_t>(pane)].folds;
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
    for (int i = 0; i < m_count; ++i)
        if (foldState(i) == state)
            refresh(i);
    const GroupBox* was = before && anchor >= 0 ? before->boxOf(anchor) : nullptr;
    const GroupBox* is = anchor >= 0 ? state->arrangement()->boxOf(anchor) : nullptr;
    if (was && is) {
        const QPointF move(is->rect.center().x - was->rect.center().x, is->rect.y - was->rect.y);
        Camera* camera = activePane()->canvas()->camera();
        camera->set(camera->center() + move, camera->zoom());
    }
    if (m_toShow != ir::kNoNode)
        for (int i = 0; i < m_count; ++i)
            m_panes[static_cast<std::size_t>(i)]->canvas()->reveal(m_toShow);
    m_toShow = ir::kNoNode;
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

void PaneArea::makeCompactScene(int index, int event)
{
    Own& own = m_ownState[static_cast<std::size_t>(index)];
    own.compactEvent = event;
    const trace::RecordingPtr recording = m_session->recording();
    const std::string path;
    own.jobs.start(tr("Laying out"), [this, index, event, recording, path](const base::Work& work) {
        auto result = std::make_shared<base::Result<ScenePtr>>(makeScene(recording, path, work, {false, event}));
        return JobRunner::Delivery([this, index, result] {
            if (!result->ok()) {
                Q_EMIT said(QString::fromStdString(result->error().text()));
                return;
            }
            m_ownState[static_cast<std::size_t>(index)].folds.exchangeScene(**result);
            refresh(index);
        });
    });
}

void PaneArea::setCompact(bool compact)
{
    m_compact = compact;
    for (Own& own : m_ownState) {
        own.compactEvent = -1;
        own.jobs.cancel();
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
    for (int i = 0; i < m_count; ++i)
        m_panes[static_cast<std::size_t>(i)]->canvas()->showStart();
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
