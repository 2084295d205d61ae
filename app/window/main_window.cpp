#include "window/main_window.h"

#include "figures/numbers_panel.h"
#include "timeline/breakpoint_list.h"
#include "window/samples.h"

#include <QApplication>
#include <QCloseEvent>
#include <QCompleter>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QVBoxLayout>

namespace gb::app {

using views::MessageBar;

namespace {

constexpr int kPlayStep = 700; ///< milliseconds: long enough to read a short sentence

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_actions(this)
    , m_recentMenu(new QMenu(tr("Open &recent"), this))
{
    setObjectName(QStringLiteral("greenbox"));
    setWindowTitle(tr("Greenbox"));
    setAcceptDrops(true);
    makeCentre();
    m_docks = std::make_unique<Docks>(this, &m_session, &m_selection, &m_explanation);
    auto* panels = new QMenu(tr("&Panels"), this);
    m_docks->fillMenu(panels);
    m_actions.fillMenus(menuBar(), m_recentMenu, panels);
    makeToolBar();
    makeStatusBar();
    connectFileActions();
    connectStepActions();
    connectViewActions();
    connectSearch();
    connectBreakpoints();
    connectMenu();
    connectSession();
    connectCanvas();
    m_player.setInterval(kPlayStep);
    fillRecentMenu();
    restoreSettings();
    m_docks->hideAll(); // the start page has the window to itself
    updateActions();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeCentre()
{
    m_messages = new MessageBar(this);
    m_panes = new views::PaneArea(&m_session, &m_selection, this);
    m_timeline = new views::Timeline(&m_session, this);
    m_start = new StartPage(this);
    auto* graphs = new QWidget(this);
    auto* column = new QVBoxLayout(graphs);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_panes, 1);
    column->addWidget(m_timeline);
    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_start);
    m_centre->addWidget(graphs);
    auto* whole = new QWidget(this);
    auto* outer = new QVBoxLayout(whole);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_messages);
    outer->addWidget(m_centre, 1);
    setCentralWidget(whole);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::askForModel);
    connect(m_start, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(m_start, &StartPage::sampleRequested, this, [this](const QString& name) {
        for (const Sample& s : samples())
            if (s.name == name)
                open({s.model, m_recipeBox->recipe(), s.inputs, false});
    });
}

void MainWindow::restoreSettings()
{
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    applyPreferences(loadPreferences());
    m_docks->breakpoints().restore(settings.value(QStringLiteral("debugger/breakpoints")).toStringList());
    if (!settings.contains(QStringLiteral("window/geometry")))
        resize(screen()->availableSize().boundedTo(QSize(1680, 1050)) * 0.95);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_jobs.cancel();
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_preferences.theme = m_theme;
    savePreferences(m_preferences);
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    openFile(event->mimeData()->urls().front().toLocalFile());
}

void MainWindow::openFile(const QString& path)
{
    if (path.endsWith(QStringLiteral(".json"))) {
        m_recipeBox->setRecipe(path);
        runAgain();
    } else if (path.endsWith(QStringLiteral(".npz")) || path.endsWith(QStringLiteral(".npy"))
               || QFileInfo(path).isDir()) {
        m_request.inputs = path;
        runAgain();
    } else {
        open({path, m_recipeBox->recipe(), {}, false});
    }
}

void MainWindow::runAgain()
{
    if (m_request.path.isEmpty())
        return;
    m_request.recipe = m_recipeBox->recipe();
    open(m_request);
}

void MainWindow::open(const Request& request)
{
    m_request = request;
    if (!request.recipe.isEmpty())
        m_recipeBox->setRecipe(request.recipe);
    const QString title = isModel(request.path) ? tr("Running %1").arg(QFileInfo(request.path).fileName())
                                                : tr("Opening %1").arg(QFileInfo(request.path).fileName());
    m_jobs.start(title, [this, request](const base::Work& work) -> views::JobRunner::Delivery {
        auto result = std::make_shared<base::Result<Document>>(openDocument(request, work));
        return [this, result, request] { deliver(*result, request.path); };
    });
    updateActions();
}

void MainWindow::deliver(const base::Result<Document>& result, const QString& path)
{
    if (result.ok()) {
        m_recent.add(path);
        fillRecentMenu();
        showDocument(*result);
        return;
    }
    if (result.error().code != base::ErrorCode::Cancelled)
        m_messages->showMessage(MessageBar::Level::Error, tr("%1 could not be opened").arg(QFileInfo(path).fileName()),
                                QString::fromStdString(result.error().text()));
    if (m_document) // what "run again" repeats is what is shown
        m_request = m_document->request;
}

void MainWindow::showDocument(Document document)
{
    const bool first = !m_document;
    m_document = std::move(document);
    m_messages->hide();
    m_selection.clear();
    m_panes->setScene(nullptr);
    m_session.setRecording(m_document->recording, QStringLiteral("annotated"), m_document->replay);
    m_panes->setScene(m_document->scene);
    m_docks->numbers()->setMaterial(m_document->material);
    m_centre->setCurrentIndex(1);
    if (first)
        m_docks->learn();
    m_panes->showStart();
    m_docks->updateOutline(m_panes->scene(), m_session.moment());
    const auto& failure = m_document->recording->failure;
    if (failure)
        m_messages->showMessage(MessageBar::Level::Error, QString::fromStdString(failure->type),
                                QString::fromStdString(failure->message));
    else if (!m_document->notes.isEmpty())
        statusBar()->showMessage(m_document->notes.join(QStringLiteral(" · ")), 10000);
    setWindowTitle(tr("%1 — Greenbox").arg(QString::fromStdString(m_document->recording->header.model)));
    QStringList names;
    for (const QString& stage : views::stageNames())
        if (const trace::MomentPtr moment = m_session.momentOfStage(stage))
            for (const ir::Node* n = moment->top().graph->first(); n; n = n->next())
                names << QString::fromStdString(n->name());
    names.removeDuplicates();
    auto* completer = new QCompleter(names, m_search);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &MainWindow::find);
    m_search->setCompleter(completer);
    updateActions();
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : m_recent.files())
        m_recentMenu->addAction(path, this, [this, path] { openFile(path); });
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
    m_start->refresh();
}

void MainWindow::askForModel()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a model or recording"), QFileInfo(m_request.path).path(),
                                     tr("Models and recordings (*.pt2 *.gbx *.jsonl);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::askForRecipe()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a recipe"), QFileInfo(m_recipeBox->recipe()).path(), tr("Recipes (*.json);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::saveAs(const QString& title, const QString& suffix, const RecordingWriter& write)
{
    if (!m_document)
        return;
    const QString name = QString::fromStdString(m_document->recording->header.model) + suffix;
    const QString path =
        QFileDialog::getSaveFileName(this, title, QFileInfo(m_request.path).path() + QLatin1Char('/') + name);
    if (!path.isEmpty())
        saveTo(path, write);
}

void MainWindow::saveTo(const QString& path, const RecordingWriter& write)
{
    if (!m_document)
        return;
    m_writing.start(
        tr("Saving"),
        [this, path, write, recording = m_document->recording](const base::Work&) -> views::JobRunner::Delivery {
            const base::Status done = write(recording, path.toStdString());
            return [this, path, done] {
                if (done.ok())
                    statusBar()->showMessage(tr("%1 written").arg(path), 6000);
                else
                    m_messages->showMessage(MessageBar::Level::Error, tr("%1 was not written").arg(path),
                                            QString::fromStdString(done.error().text()));
            };
        });
}

bool MainWindow::busy() const
{
    return m_jobs.running() || m_writing.running() || m_panes->busy() || m_docks->numbers()->busy();
}

void MainWindow::showNumbers(const QString& tab)
{
    m_docks->showNumbers();
    const auto index = views::NumbersPanel::tabNames().indexOf(tab);
    if (index >= 0)
        m_docks->numbers()->setCurrentIndex(static_cast<int>(index));
}

void MainWindow::find(const QString& text)
{
    // at the cursor first; then at the end of each stage, since an observer is not there yet while one annotates
    std::vector<trace::MomentPtr> moments{m_session.moment()};
    for (const QString& stage : views::stageNames())
        if (const trace::MomentPtr moment = m_session.momentOfStage(stage))
            moments.push_back(moment);
    for (const trace::MomentPtr& moment : moments)
        for (const auto& [path, graph] : moment->graphs)
            if (const ir::Node* n = graph->graph->find(text.toStdString())) {
                m_panes->showNode(n->id());
                if (n->op() == ir::Op::CallModule)
                    m_docks->showHistogram();
                return;
            }
    statusBar()->showMessage(tr("no node %1 in this run").arg(text), 4000);
}

void MainWindow::updateCursor()
{
    updateStep();
    // the stage that is being made, or is complete, here
    QString stage;
    if (m_session.recording())
        for (int i = std::max(0, m_session.cursor()); i < m_session.eventCount() && stage.isEmpty(); ++i)
            if (const auto& at = m_session.recording()->events[static_cast<std::size_t>(i)];
                at.kind == trace::EventKind::Stage)
                stage = QString::fromStdString(at.name);
    if (stage.isEmpty()) // after the last one
        stage = m_session.stageAt(m_session.cursor());
    m_stageBox->setCurrentIndex(m_stageBox->findData(stage));
    m_panes->revealTouched();
    m_docks->updateOutline(m_panes->scene(), m_session.moment());
    updateActions();
}

void MainWindow::updateActions()
{
    const bool there = m_session.eventCount() > 0;
    const bool back = there && m_session.canStepBack();
    const bool forward = there && m_session.canStepForward();
    for (const Command c : {Command::First, Command::Back, Command::PreviousStage})
        m_actions[c]->setEnabled(back);
    for (const Command c : {Command::Last, Command::Forward, Command::StepOver, Command::StepOut, Command::NextStage})
        m_actions[c]->setEnabled(forward);
    m_actions[Command::StepInto]->setEnabled(there && m_session.canStepInto());
    for (const Command c : {Command::SaveRecording, Command::SaveDump, Command::Export, Command::CopyPicture,
                            Command::Find, Command::FindNext, Command::FindPrevious, Command::ToggleBreakpoint,
                            Command::ContinueBack, Command::RunToCursor, Command::FitAll, Command::FrameSelection,
                            Command::ZoomIn, Command::ZoomOut, Command::ZoomHundred, Command::LayoutLearn,
                            Command::LayoutCompare, Command::LayoutCalibrate, Command::LayoutPresent})
        m_actions[c]->setEnabled(there);
    m_actions[Command::Run]->setEnabled(!m_jobs.running() && (isModel(m_request.path) || there));
    m_actions[Command::Restart]->setEnabled(!m_jobs.running() && isModel(m_request.path));
    m_actions[Command::OpenInputs]->setEnabled(!m_jobs.running() && isModel(m_request.path));
    m_actions[Command::Cancel]->setEnabled(m_jobs.running());
    m_stageBox->setEnabled(there);
    m_search->setEnabled(there);
}

void MainWindow::setTheme(views::ThemeKind kind)
{
    m_theme = kind;
    const views::Theme& theme = views::Theme::of(kind);
    QApplication::setPalette(theme.palette());
    m_panes->setTheme(kind);
    m_timeline->setTheme(theme);
    m_messages->setTheme(theme);
    m_docks->setTheme(theme);
    m_actions.setTheme(theme);
    m_actions[kind == views::ThemeKind::Dark           ? Command::ThemeDark
              : kind == views::ThemeKind::HighContrast ? Command::ThemeHighContrast
              : kind == views::ThemeKind::Print        ? Command::ThemePrint
                                                       : Command::ThemeLight]
        ->setChecked(true);
}

} // namespace gb::app
