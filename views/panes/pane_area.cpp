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
    connect(&m_own[static_cast<std::size_t>(index)], &Camera::changed, this, [this, index] {
        if (!m_linked && index == m_active)
            Q_EMIT zoomChanged(m_own[static_cast<std::size_t>(index)].zoom());
    });
}

void PaneArea::setScene(ScenePtr scene)
{
    m_scene = std::move(scene);
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
    PictureOptions options;
    options.ghosts = m_ghosts;
    options.annotationsRecorded = annotationsWereRecorded();
    shown->canvas()->setPicture(makePicture(*m_scene, *moment, event, options));
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
    for (int i = 0; i < m_count; ++i)
        if (m_stages[static_cast<std::size_t>(i)].isEmpty())
            m_panes[static_cast<std::size_t>(i)]->canvas()->reveal(e->nodes.front());
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
