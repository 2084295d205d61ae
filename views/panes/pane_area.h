// One to four panes side by side over one scene: each shows the graph at a stage, or at the cursor.
//
// While learning the default is two: annotated and prepared. Camera, selection and folding are linked as long as their
// toggles are on; each pane keeps its own for when they are off. In compact mode a pane has places for the nodes of its
// own moment only. Pictures are made anew when the cursor or a pane's
// stage changes, off the UI thread where that takes longer than a frame (pane_picture.h).
//
// Thread: the UI thread.
#pragma once

#include "canvas/graph_pane.h"
#include "panes/fold_state.h"
#include "panes/pane_picture.h"
#include "picture/scene.h"
#include "session/session.h"

#include <QSplitter>
#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gb::views {

class PaneArea final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMaxPanes = 4;

    PaneArea(Session* session, Selection* selection, QWidget* parent = nullptr);

    /// The scene that belongs to the session's recording; null empties the panes.
    void setScene(ScenePtr scene);
    void setTheme(ThemeKind kind);
    void setPaneCount(int count);
    [[nodiscard]] int paneCount() const { return m_count; }
    [[nodiscard]] GraphPane* pane(int index) const { return m_panes[static_cast<std::size_t>(index)]; }
    /// The pane that was last clicked or focused; what "fit" and "zoom" act on.
    [[nodiscard]] GraphPane* activePane() const { return m_panes[static_cast<std::size_t>(m_active)]; }
    [[nodiscard]] int activeIndex() const { return m_active; }
    /// "" is "at the cursor".
    void setStage(int pane, const QString& stage);
    [[nodiscard]] bool camerasLinked() const { return m_linked; }
    [[nodiscard]] bool foldsLinked() const { return m_foldsLinked; }
    [[nodiscard]] bool isCompact() const { return m_compact; }
    /// How a pane is folded.
    [[nodiscard]] FoldState* foldState(int pane);
    /// Paths of the sub-graphs of a node in the active pane (picture/subgraphs.h).
    [[nodiscard]] std::vector<std::string> subgraphsOf(ir::NodeId node);
    /// Path of what a pane shows; empty for the top graph.
    [[nodiscard]] const std::string& graphOf(int pane) const
    {
        return m_ownState[static_cast<std::size_t>(pane)].graph;
    }
    /// Shows a sub-graph in the pane beside the active one, at the same stage.
    void openGraph(const std::string& path);
    /// Selects a node and shows it, opening the modules around it.
    void showNode(ir::NodeId node);
    [[nodiscard]] const ScenePtr& scene() const { return m_scene; }
    /// Shows the node of the current event in the panes that have it, without zooming.
    void revealTouched();
    /// Whether a picture or an arrangement is still being made.
    [[nodiscard]] bool busy() const;

public Q_SLOTS:
    void setCamerasLinked(bool linked);
    void setFoldsLinked(bool linked);
    void setSelectionLinked(bool linked);
    void setGhosts(bool ghosts);
    void setLabels(bool labels);
    /// Marks what is new or changed since the stage before.
    void setDiff(bool diff);
    void hideChosen();
    void unhide();
    void undoView();
    void redoView();
    void setCanvasSettings(const gb::views::CanvasSettings& settings);
    void setCompact(bool compact);
    void setConstants(bool shown);
    void unfoldAll();
    void foldAll();
    void foldAsFirst();
    void showMinimap(bool show);
    void visitChange(bool next);
    /// Numbers that a run holds, of each pane's own moment.
    void setOverlayKind(OverlayKind kind);
    /// What the overlay "time" shows; null: nothing.
    void setTimes(engine::NodeTimesPtr times) { m_times = std::move(times); }
    /// Numbers from elsewhere, the same in all panes. Null: none.
    void setOverlay(const OverlayPtr& overlay);
    void fitAll();
    void showStart(); ///< a new recording's first view
    void frameSelection();
    void zoomBy(double factor);
    void zoomToHundred();

Q_SIGNALS:
    void nodeActivated(gb::ir::NodeId node);
    void observerClicked(gb::ir::NodeId node);
    void whyRequested(gb::ir::NodeId node);
    void zoomChanged(double zoom);
    void said(const QString& text); ///< for the status bar
    void commandRequested(gb::views::CanvasCommand command);
    void minimapShown(bool shown);
    void paneCountChanged(int count); ///< by itself: a sub-graph needs a second pane

private:
    void makePane(int index);
    void refresh(int index);
    void refreshAll();
    void showDrawn(int index, const DrawnPicture& drawn);
    void folded(const FoldState* state, int anchor, const ArrangementPtr& before);
    void openTo(ir::NodeId node);
    [[nodiscard]] int eventOf(int index) const;
    [[nodiscard]] trace::MomentPtr momentOf(int index);
    void openSubgraphOf(int pane, ir::NodeId node);
    void showGraph(int pane, const std::string& path);
    void useCamera(int pane);
    void forEachFold(const std::function<void(FoldState&)>& visit);
    [[nodiscard]] bool annotationsWereRecorded() const;
    [[nodiscard]] trace::MomentPtr stageBefore(int event);

    Session* m_session;
    Selection* m_selection;
    QSplitter* m_splitter;
    ScenePtr m_scene;
    ThemeKind m_theme = ThemeKind::Light;
    Camera m_shared;
    std::array<Camera, kMaxPanes> m_own;
    std::array<GraphPane*, kMaxPanes> m_panes{};
    std::array<QString, kMaxPanes> m_stages;
    int m_count = 2;
    int m_active = 0;
    /// A scene that is no other pane's: of a sub-graph, or of one moment (compact mode).
    struct OwnScene {
        std::string graph;
        int event = -1; ///< -1: of all moments
        friend bool operator==(const OwnScene&, const OwnScene&) = default;
    };
    void makeOwnScene(int index, const OwnScene& wanted);
    struct Own {
        FoldState folds; ///< what it shows when its links are off
        Selection selection;
        JobRunner jobs;    ///< scenes
        std::string graph; ///< what it shows: empty for the top graph
        std::optional<OwnScene> made;
        PanePicture picture;
        bool toStart = false;   ///< once its picture is there
        bool toTouched = false; ///< likewise
        bool moves = false;     ///< likewise: boxes go to their new places before one's eyes
        bool keeps = false;     ///< likewise: all places are new, what was looked at stays on the screen
        [[nodiscard]] bool awaitsPicture() const { return picture.busy() || jobs.running(); }
    };
    FoldState m_folds;
    std::array<Own, kMaxPanes> m_ownState;
    bool m_linked = true;
    bool m_foldsLinked = true;
    bool m_compact = false;
    bool m_ghosts = true;
    bool m_labels = true;
    bool m_diff = false;
    QPointF m_move; ///< of the camera, once the active pane's picture is there
    OverlayKind m_overlayKind = OverlayKind::None;
    OverlayPtr m_overlay;
    engine::NodeTimesPtr m_times;
    ir::NodeId m_toShow = ir::kNoNode; ///< once it is unfolded
};

} // namespace gb::views
