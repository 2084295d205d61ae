// The window: panes in the middle over the timeline, stages left, inspector right, tables below.
//
// It owns the session (recording and cursor), the selection and the job runner, and connects what stands around them.
// It runs no quantization logic: a run is a job (document.h), and what it gives replaces the document as a whole. When
// a job fails, the document before stays and the message bar says why.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "jobs/job_runner.h"
#include "message/message_bar.h"
#include "numbers/op_errors.h"
#include "panes/pane_area.h"
#include "session/explanation.h"
#include "session/session.h"
#include "timeline/timeline.h"
#include "window/docks.h"
#include "window/document.h"
#include "window/focus_ring.h"
#include "window/preferences.h"
#include "window/present_mode.h"
#include "window/recent_files.h"
#include "window/recipe_box.h"
#include "window/start_page.h"
#include "window/window_actions.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTimer>

#include <optional>

namespace gb::app {

using RecordingWriter = std::function<base::Status(const trace::RecordingPtr&, const std::string& path)>;

class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a model (and runs it) or a recording, as a job.
    void open(const Request& request);
    [[nodiscard]] bool busy() const;
    [[nodiscard]] views::Session* session() { return &m_session; }
    [[nodiscard]] views::Selection* selection() { return &m_selection; }
    [[nodiscard]] views::PaneArea* panes() { return m_panes; }
    [[nodiscard]] const std::optional<Document>& document() const { return m_document; }
    /// Writes the document's recording off the UI thread and says what became of it.
    void saveTo(const QString& path, const RecordingWriter& write);
    [[nodiscard]] const views::MessageBar& messages() const { return *m_messages; }
    void setTheme(views::ThemeKind kind);
    [[nodiscard]] const views::Explanation& explanation() const { return m_explanation; }
    [[nodiscard]] Docks& docks() const { return *m_docks; }
    /// Selects the node of this name, at whatever stage it is there, and shows it; an observer with its histogram.
    void find(const QString& text);
    /// Brings the numbers panel to the front, on the tab of this name (views::NumbersPanel::tabNames).
    void showNumbers(const QString& tab);
    /// What a right click offers for what is selected.
    [[nodiscard]] std::unique_ptr<QMenu> nodeMenu();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void makeCentre();
    void makeToolBar();
    void makeStatusBar();
    void connectFileActions();
    void connectStepActions();
    void connectViewActions();
    void connectOverlayActions();
    void connectCanvas();
    void canvasCommand(views::CanvasCommand command);
    void addCanvasEntries(QMenu& menu, ir::NodeId node);
    void showNodeHistory();
    void showPalette();
    void askForPreferences();
    void applyPreferences(const Preferences& preferences);
    void focusPane(int by);
    void announce();
    void askForNumbers();
    void connectSearch();
    void connectBreakpoints();
    void connectMenu();
    void connectNumbers();
    void paintErrors(const QString& title, const numbers::OverlayValues& values);
    void connectSession();
    void restoreSettings();

    void openFile(const QString& path);
    void runAgain();
    void deliver(const base::Result<Document>& result, const QString& path);
    void showDocument(Document document);
    void fillRecentMenu();
    void askForModel();
    void askForRecipe();
    void chooseData();
    void saveAs(const QString& title, const QString& suffix, const RecordingWriter& write);
    void exportDiagrams();
    void copyPicture();
    void present(bool on);
    void applyLayout(Command command);
    void showShortcuts();
    void showAbout();
    void runOrContinue();
    void showExplanation();
    void reveal(ir::NodeId node);
    void updateCursor();
    void updateStep();
    void updateSelection();
    void updateActions();

    views::Session m_session;
    views::Selection m_selection;
    views::Explanation m_explanation{&m_session};
    views::JobRunner m_jobs;
    views::JobRunner m_writing; ///< of its own: a new run does not stop what is being saved
    RecentFiles m_recent;
    std::optional<Document> m_document;
    Request m_request; ///< of the newest job, and what "run again" repeats
    views::ThemeKind m_theme = views::ThemeKind::Light;

    WindowActions m_actions;
    QMenu* m_recentMenu;
    QStackedWidget* m_centre = nullptr;
    StartPage* m_start = nullptr;
    views::MessageBar* m_messages = nullptr;
    views::PaneArea* m_panes = nullptr;
    views::Timeline* m_timeline = nullptr;
    std::unique_ptr<Docks> m_docks;
    QComboBox* m_stageBox = nullptr;
    RecipeBox* m_recipeBox = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_position = nullptr;
    QLabel* m_zoom = nullptr;
    QProgressBar* m_progress = nullptr;
    QByteArray m_stateBeforePresenting;
    Preferences m_preferences;
    PresentMode m_presenting{this};
    FocusRing m_focusRing{this};
    QTimer m_player; ///< steps, while they are played
};

} // namespace gb::app
