// One to four panes side by side over one scene: each shows the graph at a stage, or at the cursor.
//
// While learning the default is two: annotated and prepared. Camera and selection are linked as long as their toggles
// are on; each pane keeps its own camera for when they are off. Pictures are made anew when the cursor or a pane's
// stage changes, and only for panes whose moment really changed.
//
// Thread: the UI thread.
#pragma once

#include "canvas/graph_pane.h"
#include "picture/scene.h"
#include "session/session.h"

#include <QSplitter>
#include <QWidget>

#include <array>

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
    /// "" is "at the cursor".
    void setStage(int pane, const QString& stage);
    [[nodiscard]] bool camerasLinked() const { return m_linked; }
    /// Shows the node of the current event in the panes that have it, without zooming.
    void revealTouched();

public Q_SLOTS:
    void setCamerasLinked(bool linked);
    void setGhosts(bool ghosts);
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

private:
    void makePane(int index);
    void refresh(int index);
    void refreshAll();
    [[nodiscard]] QString summaryOf(const trace::Moment& moment) const;
    [[nodiscard]] bool annotationsWereRecorded() const;

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
    bool m_linked = true;
    bool m_ghosts = true;
};

} // namespace gb::views
