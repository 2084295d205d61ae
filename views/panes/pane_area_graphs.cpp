// Scenes of a pane's own: of one moment (compact mode), and of a sub-graph, with folds and a camera of its own.
#include "panes/pane_area.h"

#include "picture/subgraphs.h"

namespace gb::views {

std::vector<std::string> PaneArea::subgraphsOf(ir::NodeId node)
{
    const trace::MomentPtr moment = m_session->recording() ? momentOf(m_active) : nullptr;
    return moment ? views::subgraphsOf(*moment, m_ownState[static_cast<std::size_t>(m_active)].graph, node)
                  : std::vector<std::string>();
}

void PaneArea::openSubgraphOf(int pane, ir::NodeId node)
{
    m_active = pane;
    const std::vector<std::string> paths = subgraphsOf(node);
    if (paths.empty())
        Q_EMIT said(tr("this node has no sub-graph"));
    else
        openGraph(paths.front());
}

void PaneArea::openGraph(const std::string& path)
{
    const int from = m_active;
    if (m_count == 1) {
        setPaneCount(2);
        Q_EMIT paneCountChanged(m_count);
    }
    const int to = (from + 1) % m_count;
    setStage(to, m_stages[static_cast<std::size_t>(from)]);
    showGraph(to, path);
}

void PaneArea::showGraph(int pane, const std::string& path)
{
    Own& own = m_ownState[static_cast<std::size_t>(pane)];
    GraphPane* shown = m_panes[static_cast<std::size_t>(pane)];
    own.graph = path;
    own.made.reset();
    own.jobs.cancel();
    own.picture.cancel();
    own.keeps = own.moves = false;
    shown->setGraph(QString::fromStdString(path));
    shown->canvas()->setPicture(nullptr); // what is there is of another graph
    if (path.empty())
        own.folds.copy(m_folds);
    useCamera(pane);
    refresh(pane);
    own.toStart = own.awaitsPicture();
    if (!own.toStart && !path.empty())
        shown->canvas()->showStart();
}

void PaneArea::makeOwnScene(int index, const OwnScene& wanted)
{
    Own& own = m_ownState[static_cast<std::size_t>(index)];
    const bool sameGraph = !own.made || own.made->graph == wanted.graph;
    own.made = wanted;
    const trace::RecordingPtr recording = m_session->recording();
    own.jobs.start(tr("Laying out"), [this, index, wanted, recording, sameGraph](const base::Work& work) {
        auto result =
            std::make_shared<base::Result<ScenePtr>>(makeScene(recording, wanted.graph, work, {false, wanted.event}));
        return JobRunner::Delivery([this, index, result, moves = sameGraph && wanted.event >= 0] {
            if (!result->ok()) {
                Q_EMIT said(QString::fromStdString(result->error().text()));
                return;
            }
            Own& made = m_ownState[static_cast<std::size_t>(index)];
            made.keeps = made.moves = moves;
            made.folds.exchangeScene(**result);
            if (!made.folds.busy()) // else once it is unfolded as before
                refresh(index);
        });
    });
}

/// The shared camera looks at the top graph.
void PaneArea::useCamera(int pane)
{
    Own& own = m_ownState[static_cast<std::size_t>(pane)];
    const bool shared = m_linked && own.graph.empty();
    m_panes[static_cast<std::size_t>(pane)]->canvas()->setCamera(shared ? &m_shared
                                                                        : &m_own[static_cast<std::size_t>(pane)]);
}

} // namespace gb::views
