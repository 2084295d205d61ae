// How an observer came to its range: a curve over the batches, a slider through them, the histogram after each.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/curve_plot.h"
#include "numbers/figures.h"
#include "observers/observer_source.h"
#include "plots/histogram_view.h"
#include "session/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;

namespace gb::views {

class BatchesView final : public QWidget {
    Q_OBJECT

public:
    BatchesView(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// The histories of a recording, worked out off the UI thread.
    void setHistories(std::vector<numbers::History> histories);
    [[nodiscard]] const HistogramView& histogram() const { return *m_histogram; }
    /// What stands below the plots.
    [[nodiscard]] QString sentences() const;
    [[nodiscard]] int step() const;
    [[nodiscard]] const std::vector<numbers::History>& histories() const { return m_histories; }
    /// For pictures: the observer and the batch that are shown; a null history where there is none.
    [[nodiscard]] numbers::BatchesFigure figure() const;

public Q_SLOTS:
    void setStep(int step);

private:
    void follow();
    void showObserver(int index);
    void showStep(int step);

    Selection* m_selection;
    ObserverSource m_source;
    std::vector<numbers::History> m_histories;
    QComboBox* m_choice;
    CurvePlot* m_curve;
    HistogramView* m_histogram;
    QSlider* m_slider;
    QLabel* m_sentences;
};

} // namespace gb::views
