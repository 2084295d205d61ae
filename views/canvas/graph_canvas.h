// The graph on the screen: pans, zooms, selects, walks along edges. Shows a Picture that was made elsewhere.
//
// Wheel pans (Shift: sideways), Ctrl+wheel zooms at the cursor, drag on empty space pans, Ctrl+drag zooms to a
// rectangle, Shift+drag marks what it touches. Space fits all, F frames the selection, Ctrl+0 is 100 %. Arrow keys
// walk: down and up along edges, left and right between neighbours of a row; [ and ] go through a module. Enter and a
// double click fold and unfold, Backspace goes to the module around. I and O mark inputs and outputs, with Shift all of
// them; Shift+F fades what is not near. M is the minimap, Alt+Left and Alt+Right go back and forward, Ctrl+D keeps a
// view under a number that brings it back. Hover lights the edges of a node; the whole text appears after 400 ms. An
// arrow at the edge says where changed items are that one does not see; a click goes there. Letters that mean the
// window (B, N, V, L, G, D, H, S, U, ?) are passed on as commands. Camera and Selection come in from outside: canvases
// that share them are linked.
//
// Thread: UI. 10,000 nodes: only what the view touches is painted (spatial_grid.h).
#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_settings.h"
#include "canvas/edge_hint.h"
#include "canvas/minimap.h"
#include "canvas/neighbourhood.h"
#include "canvas/overlay_bar.h"
#include "canvas/selection.h"
#include "canvas/spatial_grid.h"
#include "canvas/step_fade.h"
#include "canvas/view_history.h"
#include "picture/hulls.h"
#include "picture/picture.h"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <optional>

namespace gb::views {

class GraphCanvas final : public QWidget {
    Q_OBJECT
public:
    static constexpr double kReadable = 0.62; ///< names and short labels are shown from here on
    static constexpr double kOverview = 0.38; ///< names are shown, 9 pixels high: enough to show all at once
    /// Camera and selection outlive the canvas.
    GraphCanvas(Camera* camera, Selection* selection, QWidget* parent = nullptr);

    /// Null shows an empty page. The camera stays, except that the first picture of a canvas is fitted.
    void setPicture(PicturePtr picture);
    /// The same with its grid, where that was built elsewhere. `moved`: the boxes have new places and go there before
    /// one's eyes; the camera was moved by this much from the old places to the new ones.
    void setPicture(PicturePtr picture, std::shared_ptr<const SpatialGrid> grid, const std::optional<QPointF>& moved);
    /// How the last step is shown.
    [[nodiscard]] StepFade& fade() { return m_fade; }
    [[nodiscard]] const PicturePtr& picture() const { return m_picture; }
    void setTheme(ThemeKind kind);
    void setCamera(Camera* camera);
    [[nodiscard]] Camera* camera() const { return m_camera; }
    void setSelection(Selection* selection);
    void setSettings(const CanvasSettings& settings) { m_settings = settings; }

    void fitAll();
    /// What a new picture begins with: everything where it can be read then (labels; of folded modules names), else its
    /// top at a readable zoom, with the minimap where much more lies below.
    void showStart();
    /// Nobody moved the camera since: the start view follows the size.
    [[nodiscard]] bool isAtStart() const;
    /// Zooms so that the selected node fills a fair part of the view.
    void frameSelection();
    /// Pans, without zooming, only when the node is off screen.
    void reveal(ir::NodeId node);
    /// Goes to the next, or previous, item that the current event changed.
    void visitChange(bool next);
    void showMinimap(bool show);
    /// Sharing groups as hulls behind the graph.
    void showHulls(bool show);
    [[nodiscard]] const std::vector<Hull>& hulls() const { return m_hulls; }
    /// Fades all but what is near the selection.
    void setFocusMode(bool on);
    [[nodiscard]] bool focusMode() const { return m_focusMode; }

    [[nodiscard]] QPointF toScene(QPointF widget) const;
    [[nodiscard]] QPointF toWidget(QPointF scene) const;

    /// What is at a widget position.
    struct Hit {
        ir::NodeId node = ir::kNoNode;
        const LabelItem* label = nullptr;
        const EdgeItem* edge = nullptr;
    };
    [[nodiscard]] Hit hitAt(QPointF widget) const;
    [[nodiscard]] QRectF visibleScene() const;
    /// Boxes and titles that the view shows, in graph order.
    [[nodiscard]] std::vector<ir::NodeId> nodesInView() const;
    [[nodiscard]] ir::NodeId selectedNode() const { return m_selection->current().node; }
    /// What is selected or marked.
    [[nodiscard]] NodeSet chosen() const;

    [[nodiscard]] QSize sizeHint() const override { return {640, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void nodeClicked(gb::ir::NodeId node);
    void observerClicked(gb::ir::NodeId node);
    void labelClicked(gb::ir::Position position);
    void nodeActivated(gb::ir::NodeId node); ///< double click or Enter on a node of the graph
    void foldRequested(int group);           ///< the same on a module
    void said(const QString& text);          ///< what a key did that one does not see: "bookmark 2"
    void menuRequested(gb::ir::NodeId node, QPoint global);
    void subgraphRequested(gb::ir::NodeId node); ///< Alt+click
    void whyRequested(gb::ir::NodeId node);      ///< the badge, or W
    void minimapShown(bool shown);
    void commandRequested(gb::views::CanvasCommand command);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void select(const Hit& hit);
    void walk(int key);
    bool lookKey(const QKeyEvent& event);
    bool selectionKey(const QKeyEvent& event);
    void go(const NodeItem* to);
    void activate(ir::NodeId node);
    void selectParent();
    void extend(Direction direction, bool all);
    void jump(const std::optional<View>& to);
    void bookmark();
    [[nodiscard]] View here() const;
    void finishBand();
    bool commandKey(const QKeyEvent& event);
    bool goToHint(QPointF widget);
    [[nodiscard]] std::vector<EdgeHint> hints() const;
    [[nodiscard]] bool onChain(const LabelItem& label, QPointF scene) const;
    [[nodiscard]] bool fades(const Picture* next, bool moves) const;
    void fadeFrom(const PicturePtr& before, const QPixmap& was, const std::optional<QPointF>& moved);
    [[nodiscard]] QPixmap frame(const Picture& picture, QPointF shift, const NodeSet* without);
    void paintGraph(QPainter& painter, const Picture& picture, const NodeSet* without, const QRectF& view);
    void updateNear();
    void showTooltip();
    void hover(ir::NodeId node);
    void describe();
    Camera* m_camera;
    Selection* m_selection;
    ThemeKind m_theme = ThemeKind::Light;
    PicturePtr m_picture;
    std::shared_ptr<const SpatialGrid> m_grid; ///< never null
    ir::NodeId m_hovered = ir::kNoNode;
    QTimer m_tooltipDelay;
    QPointF m_pressed;
    QPointF m_last;
    enum class Drag : unsigned char { No, Pan, ZoomBand, SelectBand };
    Drag m_drag = Drag::No;
    Minimap* m_minimap;
    OverlayBar* m_overlayBar;
    ViewHistory m_history;
    CanvasSettings m_settings;
    StepFade m_fade;
    bool m_hullsShown = false;
    std::vector<Hull> m_hulls; ///< empty while they are not shown
    bool m_focusMode = false;
    NodeSet m_near;        ///< in focus mode: what is not faded
    bool m_placed = false; ///< the camera was set for this canvas's first picture
    struct {
        QPointF center;
        double zoom = 0;
    } m_start; ///< what showStart set last
};

} // namespace gb::views
