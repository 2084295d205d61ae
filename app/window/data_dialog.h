// What a run is calibrated on and checked with: where the batches come from, what is in them, which are run and how
// often. They are read while one chooses, so that what is missing or does not fit is said before the run.
//
// Thread: the UI thread; reading goes on in a job.
#pragma once

#include "canvas/selection.h"
#include "jobs/job_runner.h"
#include "window/document.h"

#include <QDialog>
#include <QTimer>

class QDialogButtonBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace gb::views {
class SheetView;
}

namespace gb::app {

class DataSourceBox;

class DataDialog final : public QDialog {
    Q_OBJECT

public:
    /// `request` is of a model.
    explicit DataDialog(const Request& request, QWidget* parent = nullptr);
    /// The request with the chosen data.
    [[nodiscard]] Request request() const;
    [[nodiscard]] DataSourceBox& calibration() const { return *m_calibration; }
    [[nodiscard]] DataSourceBox& check() const { return *m_check; }
    [[nodiscard]] const views::SheetView& batches() const { return *m_batches; }
    [[nodiscard]] bool busy() const { return m_jobs.running() || m_wait.isActive(); }
    /// What is said of the sets: how many batches, or what does not fit.
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] bool canRun() const;
    void setChosen(const QString& positions);
    void setImageSize(int height, int width);
    void setNormalisation(const QString& mean, const QString& deviation);

public Q_SLOTS:
    void useSelected(); ///< runs the batches of the selected rows only
    void addSelected(); ///< runs them once more
    void useAll();

private:
    struct Read;
    QWidget* makeCalibration();
    QWidget* makeCheck();
    QWidget* makeImages();
    void schedule();
    void read();
    void showRead(const Read& read);
    [[nodiscard]] QStringList selectedPositions() const;

    Request m_request;
    views::Selection m_selection;
    QTimer m_wait; ///< a moment after the last key
    DataSourceBox* m_calibration;
    DataSourceBox* m_check;
    QLineEdit* m_chosen;
    views::SheetView* m_batches;
    QGroupBox* m_images = nullptr;
    QSpinBox* m_height;
    QSpinBox* m_width;
    QLineEdit* m_mean;
    QLineEdit* m_deviation;
    QLabel* m_calibrationState;
    QLabel* m_checkState;
    QDialogButtonBox* m_buttons;
    views::JobRunner m_jobs; ///< last: it joins its job before the rest goes
};

} // namespace gb::app
