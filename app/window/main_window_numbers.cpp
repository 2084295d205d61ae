// What connects the numbers panel with the rest of the window, and the dialog that gives the numbers their batches.
#include "figures/numbers_panel.h"
#include "window/data_dialog.h"
#include "window/main_window.h"

#include <QStatusBar>

namespace gb::app {

void MainWindow::connectNumbers()
{
    views::NumbersPanel* panel = m_docks->numbers();
    connect(panel, &views::NumbersPanel::failed, this, [this](const QString& sentence) {
        m_messages->showMessage(views::MessageBar::Level::Error, tr("Numbers"), sentence);
    });
    connect(panel, &views::NumbersPanel::said, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence, 6000); });
    connect(panel, &views::NumbersPanel::overlayChanged, this, &MainWindow::paintErrors);
    // another overlay takes the place of the errors
    for (const Command other : {Command::OverlayNone, Command::OverlayScale, Command::OverlayBits,
                                Command::OverlayRange, Command::OverlayTime, Command::OverlayCsv})
        connect(m_actions[other], &QAction::triggered, panel, &views::NumbersPanel::stopPainting);
}

void MainWindow::paintErrors(const QString& title, const numbers::OverlayValues& values)
{
    if (values.values.empty()) {
        m_actions[Command::OverlayNone]->setChecked(true);
        m_panes->setOverlayKind(views::OverlayKind::None);
        return;
    }
    views::Overlay overlay;
    overlay.title = title;
    overlay.unit = QString::fromStdString(values.unit);
    overlay.values = values.values;
    overlay.lowIsWorst = values.unit == "dB"; // a ratio of signal to error
    overlay.measure();
    m_panes->setOverlay(std::make_shared<const views::Overlay>(std::move(overlay)));
}

void MainWindow::chooseData()
{
    if (!isModel(m_request.path))
        return;
    DataDialog dialog(m_request, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    open(dialog.request());
}

} // namespace gb::app
