// prepare and convert by hand: put observers and fake quantizes on edges and outputs, run the batches, replace them by
// q/dq, fold weights, undo; flip the switches of fake quantizes; hold the result against the API's.
//
// Thread: the UI thread; steps run on a job's, one at a time.
#pragma once

#include "figures/zoo_bar.h"
#include "jobs/job_runner.h"
#include "numbers/hand_mode.h"
#include "numbers/sheet.h"
#include "theme/theme.h"

#include <QWidget>

#include <functional>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QToolButton;

namespace gb::views {

class HandView final : public QWidget {
    Q_OBJECT

public:
    explicit HandView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Begins anew; null: there is nothing to work on.
    void setMaterial(numbers::MaterialPtr material);
    [[nodiscard]] bool busy() const { return m_jobs.running(); }
    /// What the last step gave: the verdict, the gap of the output, or why it was refused.
    [[nodiscard]] QString outcome() const;
    /// Chooses an edge, or with an empty consumer an output; nothing where there is no such producer.
    void choose(const QString& producer, const QString& consumer);
    /// Chooses an observer that is there; empty: all.
    void chooseObserver(const QString& name);
    /// How the switches stand: unchecked, partially for some of all, checked.
    [[nodiscard]] std::pair<Qt::CheckState, Qt::CheckState> switches() const;
    [[nodiscard]] const numbers::HandBench* bench() const { return m_bench.get(); }
    /// Where the next observer goes: "x -> conv2d", "x".
    [[nodiscard]] QString place() const;
    /// The steps and what came of them, for files.
    [[nodiscard]] numbers::Sheet sheet() const;

public Q_SLOTS:
    void insert();
    void takePrepared(); ///< goes on from prepare's own observers, calibrated
    void calibrate();
    void replace(); ///< the chosen observer
    void fold();    ///< the chosen quantize
    void undo();
    void compare();
    void flip(); ///< the switches, as the boxes stand, for the chosen fake quantize or all; a click does it at once

private:
    using Step = std::function<base::Result<QString>(numbers::HandBench&, const base::Work&)>;
    QToolButton* button(const QString& text, const QString& tip, void (HandView::*slot)());
    void run(const QString& title, Step step);
    void refresh();
    void fillConsumers();
    void showSwitches();

    numbers::MaterialPtr m_material;
    std::shared_ptr<numbers::HandBench> m_bench; ///< belongs to the job while one runs
    JobRunner m_jobs;
    ZooBar* m_settings;
    QCheckBox* m_fake;
    QComboBox* m_producer;
    QComboBox* m_consumer;
    QComboBox* m_observer;
    QComboBox* m_quantize;
    QLabel* m_switches;
    QCheckBox* m_observerOn;
    QCheckBox* m_fakeQuantOn;
    QList<QToolButton*> m_buttons;
    QListWidget* m_history;
    QLabel* m_outcome;
};

} // namespace gb::views
