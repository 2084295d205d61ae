// What the actions of the main window do: the connections, and the small dialogs behind them.
#include "window/main_window.h"

#include "canvas/outline_view.h"
#include "export/clipboard.h"
#include "io/dump.h"
#include "io/recording.h"
#include "window/cards.h"
#include "window/export_dialog.h"
#include "window/shortcuts_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace gb::app {

using views::Session;

void MainWindow::makeToolBar()
{
    QToolBar* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addAction(m_actions[Command::Open]);
    m_recipeBox = new RecipeBox(this);
    bar->addWidget(m_recipeBox);
    bar->addAction(m_actions[Command::Run]);
    bar->addAction(m_actions[Command::Cancel]);
    bar->addSeparator();
    for (const Command c : {Command::First, Command::Back, Command::Forward, Command::Last}) {
        bar->addAction(m_actions[c]);
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(m_actions[c])))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    m_stageBox = new QComboBox(this);
    m_stageBox->setAccessibleName(tr("Stage"));
    m_stageBox->setToolTip(tr("Go to the end of a stage"));
    for (const QString& stage : views::stageNames())
        m_stageBox->addItem(views::stageTitle(stage), stage);
    bar->addWidget(m_stageBox);
    bar->addSeparator();
    m_search = new QLineEdit(this);
    m_search->setPlaceholderText(tr("Search: conv, op:conv*, reason:R5"));
    m_search->setAccessibleName(tr("Find node"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(260);
    bar->addWidget(m_search);
}

void MainWindow::makeStatusBar()
{
    m_sentence = new QLabel(this);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(220);
    m_progress->hide();
    m_position = new QLabel(this);
    m_zoom = new QLabel(this);
    statusBar()->addWidget(m_sentence, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_position);
    statusBar()->addPermanentWidget(m_zoom);
    connect(&m_jobs, &views::JobRunner::started, this, [this](const QString& title) {
        m_progress->setFormat(title);
        m_progress->setValue(0);
        m_progress->setAccessibleName(title);
        m_progress->show();
    });
    connect(&m_jobs, &views::JobRunner::progressed, this, [this](int thousandths, const QString& stage) {
        m_progress->setValue(thousandths);
        m_progress->setFormat(stage);
    });
    connect(&m_jobs, &views::JobRunner::ended, this, [this] {
        m_progress->hide();
        updateActions();
    });
}

void MainWindow::connectFileActions()
{
    const auto on = [this](Command command, auto&& slot) {
        connect(m_actions[command], &QAction::triggered, this, std::forward<decltype(slot)>(slot));
    };
    on(Command::Open, &MainWindow::askForModel);
    on(Command::OpenRecipe, &MainWindow::askForRecipe);
    on(Command::OpenInputs, &MainWindow::chooseData);
    on(Command::Run, &MainWindow::runOrContinue);
    on(Command::Restart, &MainWindow::runAgain);
    on(Command::Cancel, [this] { m_jobs.cancel(); });
    on(Command::Export, &MainWindow::exportDiagrams);
    on(Command::CopyPicture, &MainWindow::copyPicture);
    on(Command::SaveRecording, [this] {
        saveAs(tr("Save the recording"), QStringLiteral(".gbx"),
               [](const trace::RecordingPtr& r, const std::string& path) { return io::writeRecording(*r, path); });
    });
    on(Command::SaveDump, [this] {
        saveAs(tr("Save the stage dump"), QStringLiteral(".dump.json"),
               [](const trace::RecordingPtr& r, const std::string& path) { return io::writeDump(r, path); });
    });
    on(Command::Quit, [this] { close(); });
    on(Command::Shortcuts, &MainWindow::showShortcuts);
    on(Command::About, &MainWindow::showAbout);
    connect(m_recipeBox, &RecipeBox::recipeChosen, this, &MainWindow::runAgain);
    connect(m_recipeBox, &RecipeBox::openRequested, this, &MainWindow::askForRecipe);
}

void MainWindow::connectStepActions()
{
    const auto step = [this](Command command, void (Session::*slot)()) {
        connect(m_actions[command], &QAction::triggered, &m_session, slot);
    };
    step(Command::First, &Session::toFirst);
    step(Command::Back, &Session::stepBack);
    step(Command::Forward, &Session::stepForward);
    step(Command::StepInto, &Session::stepInto);
    step(Command::Last, &Session::toLast);
    step(Command::StepOver, &Session::stepOver);
    step(Command::StepOut, &Session::stepOut);
    step(Command::PreviousStage, &Session::toPreviousStage);
    step(Command::NextStage, &Session::toNextStage);
    connect(m_actions[Command::StepInert], &QAction::toggled, &m_session, &Session::setStepInert);
    connect(m_stageBox, &QComboBox::activated, this,
            [this](int index) { m_session.toStage(m_stageBox->itemData(index).toString()); });
}

void MainWindow::connectViewActions()
{
    const auto on = [this](Command command, auto&& slot) {
        connect(m_actions[command], &QAction::triggered, this, std::forward<decltype(slot)>(slot));
    };
    on(Command::FitAll, [this] { m_panes->fitAll(); });
    on(Command::FrameSelection, [this] { m_panes->frameSelection(); });
    on(Command::ZoomIn, [this] { m_panes->zoomBy(1.25); });
    on(Command::ZoomOut, [this] { m_panes->zoomBy(0.8); });
    on(Command::ZoomHundred, [this] { m_panes->zoomToHundred(); });
    connect(m_actions[Command::LinkCameras], &QAction::toggled, m_panes, &views::PaneArea::setCamerasLinked);
    connect(m_actions[Command::Ghosts], &QAction::toggled, m_panes, &views::PaneArea::setGhosts);
    const auto toggle = [this](Command command, void (views::PaneArea::*slot)(bool)) {
        connect(m_actions[command], &QAction::toggled, m_panes, slot);
    };
    toggle(Command::LinkSelection, &views::PaneArea::setSelectionLinked);
    toggle(Command::LinkFolding, &views::PaneArea::setFoldsLinked);
    toggle(Command::Compact, &views::PaneArea::setCompact);
    toggle(Command::Constants, &views::PaneArea::setConstants);
    toggle(Command::Minimap, &views::PaneArea::showMinimap);
    on(Command::UnfoldAll, [this] { m_panes->unfoldAll(); });
    on(Command::FoldAll, [this] { m_panes->foldAll(); });
    on(Command::FoldAsFirst, [this] { m_panes->foldAsFirst(); });
    on(Command::NextChange, [this] { m_panes->visitChange(true); });
    on(Command::PreviousChange, [this] { m_panes->visitChange(false); });
    connect(m_panes, &views::PaneArea::said, this,
            [this](const QString& text) { statusBar()->showMessage(text, 6000); });
    const Command counts[] = {Command::Panes1, Command::Panes2, Command::Panes3, Command::Panes4};
    for (int i = 0; i < 4; ++i)
        on(counts[i], [this, i] { m_panes->setPaneCount(i + 1); });
    on(Command::ThemeLight, [this] { setTheme(views::ThemeKind::Light); });
    on(Command::ThemeDark, [this] { setTheme(views::ThemeKind::Dark); });
    on(Command::ThemeHighContrast, [this] { setTheme(views::ThemeKind::HighContrast); });
    on(Command::ThemePrint, [this] { setTheme(views::ThemeKind::Print); });
    connectOverlayActions();
    connect(m_docks->outline(), &views::OutlineView::nodeChosen, m_panes, &views::PaneArea::showNode);
    for (const Command c : {Command::LayoutLearn, Command::LayoutCompare, Command::LayoutCalibrate})
        on(c, [this, c] { applyLayout(c); });
    connect(m_actions[Command::LayoutPresent], &QAction::toggled, this, &MainWindow::present);
}

void MainWindow::connectOverlayActions()
{
    using views::OverlayKind;
    const std::pair<Command, OverlayKind> kinds[] = {{Command::OverlayNone, OverlayKind::None},
                                                     {Command::OverlayScale, OverlayKind::Scale},
                                                     {Command::OverlayBits, OverlayKind::Bits},
                                                     {Command::OverlayRange, OverlayKind::Range},
                                                     {Command::OverlayTime, OverlayKind::Time}};
    for (const auto& [command, kind] : kinds)
        connect(m_actions[command], &QAction::triggered, this, [this, k = kind] { m_panes->setOverlayKind(k); });
    connect(m_actions[Command::NextOverlay], &QAction::triggered, this, [this] {
        const Command order[] = {Command::OverlayNone, Command::OverlayScale, Command::OverlayBits,
                                 Command::OverlayRange, Command::OverlayTime};
        for (std::size_t i = 0; i < std::size(order); ++i)
            if (m_actions[order[i]]->isChecked()) {
                m_actions[order[(i + 1) % std::size(order)]]->trigger();
                return;
            }
    });
    connect(m_actions[Command::OverlayCsv], &QAction::triggered, this, &MainWindow::askForNumbers);
}

void MainWindow::askForNumbers()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open own numbers: a node name and a value a line"),
                                                      QFileInfo(m_request.path).path(), tr("Numbers (*.csv)"));
    if (path.isEmpty())
        return;
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) {
        m_messages->showMessage(views::MessageBar::Level::Error, tr("%1 could not be read").arg(name),
                                file.errorString());
        return;
    }
    const auto read =
        views::readOverlay(file.readAll().toStdString(), name.toStdString(), *m_session.moment()->top().graph);
    if (!read) {
        m_messages->showMessage(views::MessageBar::Level::Error, tr("%1 was not laid over").arg(name),
                                QString::fromStdString(read.error().text()));
        return;
    }
    m_panes->setOverlay(std::make_shared<const views::Overlay>(read->overlay));
    if (!read->unknown.empty())
        statusBar()->showMessage(
            tr("%n name(s) of no node, the first is %1", nullptr, static_cast<int>(read->unknown.size()))
                .arg(QString::fromStdString(read->unknown.front())),
            8000);
}

void MainWindow::connectSession()
{
    connect(&m_session, &Session::cursorChanged, this, &MainWindow::updateCursor);
    connect(&m_session, &Session::innerChanged, this, [this] {
        updateStep();
        updateActions();
    });
    connect(&m_session, &Session::failed, this, [this](const QString& sentence) {
        m_messages->showMessage(views::MessageBar::Level::Error, tr("The recording is broken"), sentence);
    });
    connect(m_panes, &views::PaneArea::zoomChanged, this,
            [this](double zoom) { m_zoom->setText(tr("%1 %").arg(qRound(zoom * 100))); });
    connect(m_panes, &views::PaneArea::observerClicked, this, [this] { m_docks->showHistogram(); });
    connect(m_panes, &views::PaneArea::whyRequested, this, [this](ir::NodeId node) {
        m_selection.selectNode(node);
        m_docks->showWhy();
    });
    connect(m_panes, &views::PaneArea::nodeActivated, this, [this] { m_panes->frameSelection(); });
    connectNumbers();
}

void MainWindow::applyLayout(Command command)
{
    switch (command) {
    case Command::LayoutCompare:
        m_docks->compare();
        m_panes->setPaneCount(3);
        m_actions[Command::Panes3]->setChecked(true);
        break;
    case Command::LayoutCalibrate:
        m_docks->calibrate();
        m_panes->setPaneCount(1);
        m_actions[Command::Panes1]->setChecked(true);
        m_session.toStage(QStringLiteral("calibrated"));
        break;
    default:
        m_docks->learn();
        m_panes->setPaneCount(2);
        m_actions[Command::Panes2]->setChecked(true);
    }
}

void MainWindow::present(bool on)
{
    if (on) {
        m_stateBeforePresenting = saveState();
        m_docks->hideAll();
        for (QToolBar* bar : findChildren<QToolBar*>())
            bar->hide(); // restoreState brings them back
        menuBar()->hide();
        statusBar()->hide();
        showFullScreen();
        m_panes->activePane()->canvas()->setFocus();
        m_presenting.begin();
    } else {
        m_presenting.end();
        showNormal();
        menuBar()->show();
        statusBar()->show();
        restoreState(m_stateBeforePresenting);
    }
}

void MainWindow::exportDiagrams()
{
    if (!m_document)
        return;
    const views::PicturePtr picture = m_panes->activePane()->canvas()->picture();
    const views::NodeItem* selected = picture ? picture->find(m_selection.current().node) : nullptr;
    const bool isNode = selected && selected->container == views::Container::No;
    ExportDialog::Sources sources;
    sources.stage = m_session.stageAt(m_session.cursor());
    sources.selected = isNode ? selected->name : QString();
    sources.step = std::max(1, m_session.stepNumber());
    sources.steps = m_session.stepCount();
    sources.hulls = m_actions[Command::Hulls]->isChecked();
    sources.graph = m_panes->graphOf(m_panes->activeIndex());
    if (picture && !m_panes->isCompact()) { // compact places are of one moment only
        sources.folding = m_panes->foldState(m_panes->activeIndex())->wanted();
        sources.viewport = m_panes->activePane()->canvas()->visibleScene().translated(-picture->bounds.topLeft());
    }
    if (const ir::NodeId node = m_selection.current().node; node != ir::kNoNode && views::groupOfId(node) < 0) {
        if (auto card = histogramCardOf(m_session, node))
            sources.histogram = std::move(*card);
        if (auto card = whyCardOf(m_session, m_explanation, node))
            sources.why = std::move(*card);
    }
    ExportDialog dialog(*m_document, sources, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const ExportDialog::Choice choice = dialog.choice();
    const trace::RecordingPtr recording = m_document->recording;
    if (choice.card) { // plots are widgets: not on another thread
        const auto written = exportTo(choice, recording, {});
        if (!written)
            m_messages->showMessage(views::MessageBar::Level::Error, tr("The diagrams were not written"),
                                    QString::fromStdString(written.error().text()));
        else
            statusBar()->showMessage(tr("%n file(s) written to %1", nullptr, 1).arg(choice.folder), 8000);
        return;
    }
    m_jobs.start(tr("Exporting"), [this, choice, recording](const base::Work& work) -> views::JobRunner::Delivery {
        auto written = std::make_shared<base::Result<std::vector<QString>>>(exportTo(choice, recording, work));
        return [this, written, choice] {
            if (written->ok())
                statusBar()->showMessage(
                    tr("%n file(s) written to %1", nullptr, static_cast<int>((*written)->size())).arg(choice.folder),
                    8000);
            else
                m_messages->showMessage(views::MessageBar::Level::Error, tr("The diagrams were not written"),
                                        QString::fromStdString(written->error().text()));
        };
    });
    updateActions();
}

void MainWindow::copyPicture()
{
    const views::GraphCanvas* canvas = m_panes->activePane()->canvas();
    const views::PicturePtr picture = canvas->picture();
    if (!picture)
        return;
    QApplication::clipboard()->setMimeData(views::pictureData(*picture, m_theme, canvas->hulls()).release());
    statusBar()->showMessage(tr("picture copied, as SVG and PNG"), 3000);
}

void MainWindow::showShortcuts()
{
    ShortcutsDialog(m_actions.withShortcuts(), this).exec();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Greenbox"),
                       tr("<p><b>Greenbox %1</b></p><p>Shows what a Quantizer wrote on a graph, what prepare_pt2e and "
                          "convert_pt2e made of it, and why. Held to torchao 0.18.</p>")
                           .arg(QApplication::applicationVersion()));
}

} // namespace gb::app
