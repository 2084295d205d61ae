#include "panes/fold_state.h"

namespace gb::views {

FoldState::FoldState(QObject* parent)
    : QObject(parent)
{
    connect(&m_jobs, &JobRunner::started, this, &FoldState::busyChanged);
    connect(&m_jobs, &JobRunner::ended, this, &FoldState::busyChanged);
}

void FoldState::setScene(const ScenePtr& scene)
{
    m_jobs.cancel();
    m_past.clear();
    m_future.clear();
    m_scene = scene;
    m_arrangement = scene ? firstArrangement(*scene) : nullptr;
    m_wanted = m_arrangement ? m_arrangement->folding : Folding{};
}

void FoldState::exchangeScene(const ScenePtr& scene)
{
    const ScenePtr before = m_scene;
    const Folding folding = m_wanted;
    setScene(scene);
    if (before && scene)
        want(carriedOver(*before, folding, *scene), -1);
}

void FoldState::copy(const FoldState& other)
{
    m_jobs.cancel();
    m_scene = other.m_scene;
    m_arrangement = other.m_arrangement;
    m_wanted = m_arrangement ? m_arrangement->folding : Folding{};
}

void FoldState::want(Folding folding, int anchor)
{
    if (!m_scene || folding == m_wanted)
        return;
    if (m_past.size() == kMostSteps)
        m_past.erase(m_past.begin());
    m_past.push_back(m_wanted);
    m_future.clear();
    layOut(std::move(folding), anchor);
}

void FoldState::undo()
{
    if (m_past.empty())
        return;
    m_future.push_back(m_wanted);
    Folding folding = std::move(m_past.back());
    m_past.pop_back();
    layOut(std::move(folding), -1);
}

void FoldState::redo()
{
    if (m_future.empty())
        return;
    m_past.push_back(m_wanted);
    Folding folding = std::move(m_future.back());
    m_future.pop_back();
    layOut(std::move(folding), -1);
}

void FoldState::hide(const std::unordered_set<ir::NodeId>& nodes)
{
    if (m_scene && !nodes.empty())
        want(without(*m_scene, nodes, m_wanted), -1);
}

void FoldState::unhide()
{
    Folding folding = m_wanted;
    folding.only.clear();
    want(std::move(folding), -1);
}

void FoldState::layOut(Folding folding, int anchor)
{
    m_wanted = std::move(folding);
    const ScenePtr scene = m_scene;
    m_jobs.start(tr("Laying out"), [this, scene, wanted = m_wanted, anchor](const base::Work& work) {
        auto result = std::make_shared<base::Result<ArrangementPtr>>(arrange(*scene, wanted, work));
        return JobRunner::Delivery([this, result, anchor] {
            if (!result->ok()) {
                m_wanted = m_arrangement->folding;
                Q_EMIT failed(QString::fromStdString(result->error().text()));
                return;
            }
            const ArrangementPtr before = std::exchange(m_arrangement, **result);
            Q_EMIT changed(anchor, before);
        });
    });
}

void FoldState::toggle(int group)
{
    Folding folding = m_wanted;
    if (group <= 0 || static_cast<std::size_t>(group) >= folding.unfolded.size())
        return;
    folding.unfolded[static_cast<std::size_t>(group)].flip();
    want(std::move(folding), group);
}

bool FoldState::unfoldTo(ir::NodeId node)
{
    if (!m_scene)
        return false;
    Folding folding = views::unfoldedTo(*m_scene, node, m_wanted);
    if (folding == m_wanted)
        return false;
    want(std::move(folding), -1);
    return true;
}

void FoldState::unfoldAll()
{
    if (!m_scene)
        return;
    Folding folding = allUnfolded(moduleTree(*m_scene));
    folding.constants = m_wanted.constants;
    want(std::move(folding), -1);
}

void FoldState::foldAll()
{
    Folding folding = m_wanted;
    folding.unfolded.assign(folding.unfolded.size(), false);
    want(std::move(folding), -1);
}

void FoldState::foldAsFirst()
{
    if (!m_scene)
        return;
    Folding folding = firstArrangement(*m_scene)->folding;
    folding.constants = m_wanted.constants;
    want(std::move(folding), -1);
}

void FoldState::setConstants(bool shown)
{
    Folding folding = m_wanted;
    folding.constants = shown;
    want(std::move(folding), -1);
}

} // namespace gb::views
