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

#include <vector>

namespace gb::views {
class BreakpointList;
class Explanation;
class ExplainView;
class HistogramPanel;
class Inspector;
class MessagesView;
class NumbersPanel;
class OutlineView;
class QparamsTable;
class SearchView;
class StagesView;
class WhyTable;
} // namespace gb::views

namespace gb::app {

class Docks {
public:
    Docks(QMainWindow* window, views::Session* session, views::Selection* selection, views::Explanation* explanation);

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
    void showHistory(); ///< the Why page, at the history of the label
    void pinInspector();
    void showNumbers();
    [[nodiscard]] views::NumbersPanel* numbers() const { return m_numbers; }
    void fillMenu(QMenu* panels) const;
    /// Shows the results of a search; `raise` brings their tab to the front.
    void search(const QString& text, bool raise);
    [[nodiscard]] views::SearchView& searchView() const { return *m_search; }
    [[nodiscard]] views::BreakpointList& breakpoints() const { return *m_breakpoints; }

private:
    void addExplainPanels(views::Session* session, views::Selection* selection, views::Explanation* explanation);
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
    views::NumbersPanel* m_numbers;
    QDockWidget* m_stagesDock;
    QDockWidget* m_inspectorDock;
    QDockWidget* m_histogramDock;
    QDockWidget* m_qparamsDock;
    QDockWidget* m_whyDock;
    QDockWidget* m_messagesDock;
    QDockWidget* m_outlineDock;
    views::ScenePtr m_outlineScene;
    trace::MomentPtr m_outlineMoment;
    std::vector<views::ExplainView*> m_explainViews; ///< problems, coverage, settings, sharing, ledger
    views::SearchView* m_search = nullptr;
    QDockWidget* m_searchDock = nullptr;
    views::BreakpointList* m_breakpoints = nullptr;
    QDockWidget* m_numbersDock;
};

} // namespace gb::app
