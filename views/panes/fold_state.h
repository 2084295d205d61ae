// Which modules are open, and where everything stands then. Panes that share one are folded alike.
//
// A wish is laid out off the UI thread; the newest one wins, and until it is there the old arrangement stays. Camera
// positions stay meaningful: `changed` names what was folded or unfolded, so that it can be kept where it is on screen.
//
// Thread: UI.
#pragma once

#include "jobs/job_runner.h"
#include "picture/scene.h"

#include <QObject>

#include <unordered_set>
#include <vector>

namespace gb::views {

class FoldState final : public QObject {
    Q_OBJECT
public:
    explicit FoldState(QObject* parent = nullptr);

    /// A new scene begins as it is folded at first. Null for none.
    void setScene(const ScenePtr& scene);
    /// Another scene of the same run: what was open stays open.
    void exchangeScene(const ScenePtr& scene);
    /// Takes over how another one is folded.
    void copy(const FoldState& other);
    [[nodiscard]] const ScenePtr& scene() const { return m_scene; }
    [[nodiscard]] const ArrangementPtr& arrangement() const { return m_arrangement; }
    /// What was last asked for; the arrangement follows.
    [[nodiscard]] const Folding& wanted() const { return m_wanted; }
    [[nodiscard]] bool busy() const { return m_jobs.running(); }

    void toggle(int group);
    /// Opens every module around a node. False when it is seen already.
    bool unfoldTo(ir::NodeId node);
    void unfoldAll();
    void foldAll();
    void foldAsFirst();
    void setConstants(bool shown);
    /// Takes nodes, and all that is in modules, out of what is shown; unhide() brings all back.
    void hide(const std::unordered_set<ir::NodeId>& nodes);
    void unhide();
    /// Back and forward through what was asked for.
    void undo();
    void redo();
    [[nodiscard]] bool canUndo() const { return !m_past.empty(); }
    [[nodiscard]] bool canRedo() const { return !m_future.empty(); }

Q_SIGNALS:
    /// `anchor` is the group that was toggled, or -1; `before` the arrangement until now.
    void changed(int anchor, gb::views::ArrangementPtr before);
    void failed(const QString& sentence);
    void busyChanged();

private:
    static constexpr std::size_t kMostSteps = 200; ///< that can be undone

    void want(Folding folding, int anchor);
    void layOut(Folding folding, int anchor);

    ScenePtr m_scene;
    Folding m_wanted;
    std::vector<Folding> m_past;
    std::vector<Folding> m_future;
    ArrangementPtr m_arrangement;
    JobRunner m_jobs;
};

} // namespace gb::views
