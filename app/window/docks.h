// The docked panels and the four arrangements of them: learn, compare, calibrate, present.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "picture/scene.h"
#include "session/session.h"
#include "theme/theme.h"

#include <QDockWidget>
#include <QMainWindow>

namespace gb::views {
class HistogramPanel;
class Inspector;
class MessagesView;
class OutlineView;
class QparamsTable;
class StagesView;
class WhyTable;
} // namespace gb::views

namespace gb::app {

class Docks {
public:
    Docks(QMainWindow* window, views::Session* session, views::Selection* selection);

    void setTheme(const views::Theme& theme);
    /// Shows the panels that a way of working needs.
    void learn();
    void compare();
    void calibrate();
    void hideAll();
    void showHistogram();
    /// The outline of the top graph at a moment; worked out only while it is seen.
    void updateOutline(const views::ScenePtr& scene, const trace::MomentPtr& moment);
    [[nodiscard]] views::OutlineView* outline() const { return m_outline; }
    void showWhy();
    void fillMenu(QMenu* panels) const;

private:
    QDockWidget* add(const char* name, const QString& title, QWidget* panel, Qt::DockWidgetArea area);

    void resize(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation orientation);

    QMainWindow* m_window;
    QList<QDockWidget*> m_all;
    views::StagesView* m_stages;
    views::Inspector* m_inspector;
    views::HistogramPanel* m_histogram;
    views::QparamsTable* m_qparams;
    views::WhyTable* m_why;
    views::MessagesView* m_messages;
    views::OutlineView* m_outline;
    QDockWidget* m_stagesDock;
    QDockWidget* m_inspectorDock;
    QDockWidget* m_histogramDock;
    QDockWidget* m_qparamsDock;
    QDockWidget* m_whyDock;
    QDockWidget* m_messagesDock;
    QDockWidget* m_outlineDock;
    views::ScenePtr m_outlineScene;
    trace::MomentPtr m_outlineMoment;
};

} // namespace gb::app
