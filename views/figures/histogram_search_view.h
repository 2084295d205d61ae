// The search of a HistogramObserver replayed: its moves with a slider, the curve of the norm, why it stopped.
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

#include <optional>

class QLabel;
class QSlider;

namespace gb::views {

class HistogramSearchView final : public QWidget {
    Q_OBJECT

public:
    HistogramSearchView(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    [[nodiscard]] QString sentences() const;
    [[nodiscard]] int moveCount() const { return m_replay ? static_cast<int>(m_replay->moves.size()) : 0; }
    /// Move 0 is the whole histogram, before the first one.
    void setMove(int move);
    /// For pictures: the search and the move that are shown; absent where there is none.
    [[nodiscard]] std::optional<numbers::SearchFigure> figure() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showMove(int move);

    Session* m_session;
    Selection* m_selection;
    ObserverSource m_source;
    std::optional<numbers::SearchReplay> m_replay;
    std::int64_t m_shown = -2; ///< the observer that is shown, ...
    int m_event = -2;          ///< ... as it was at this event
    quant::ObserverSettings m_settings;
    quant::ObserverState m_state;
    QString m_name;
    CurvePlot* m_curve;
    HistogramView* m_histogram;
    QSlider* m_slider;
    QLabel* m_sentences;
};

} // namespace gb::views
