// What HistogramView puts into a QCustomPlot: bars above, brackets of the ranges below, sharing one x axis.
//
// Thread: the UI thread.
#pragma once

#include "plots/histogram_facts.h"
#include "plots/tickers.h"
#include "theme/theme.h"

#include <QWidget>

#include <array>

namespace gb::views {

class HistogramPlot final {
public:
    explicit HistogramPlot(QWidget* parent);

    [[nodiscard]] QCustomPlot& widget() const { return *m_plot; }
    [[nodiscard]] QCPAxis& xAxis() const { return *m_bars->axis(QCPAxis::atBottom); }
    [[nodiscard]] QCPAxis& yAxis() const { return *m_bars->axis(QCPAxis::atLeft); }
    /// True where a point lies on the bars (or channels).
    [[nodiscard]] bool onBars(const QPointF& at) const { return m_bars->rect().contains(at.toPoint()); }

    void setTheme(const Theme& theme);
    /// Everything anew from facts; of a per-channel observer also the channels' ranges (float64 tensors or none).
    void show(const HistogramFacts& facts, const quant::ObserverState& state, CountScale scale);
    /// The x range that shows everything.
    [[nodiscard]] ValueRange wholeRange() const;
    /// A vertical line at a value; none for NaN.
    void setPointer(double value);
    /// Two lines at the ends of a range; show() takes them away.
    void setTried(const ValueRange& range);

private:
    void makeAxes();
    void showCounts(const HistogramFacts& facts, CountScale scale);
    void showChannels(const HistogramFacts& facts, const quant::ObserverState& state);
    void showRanges(const HistogramFacts& facts);
    void showClipped(const HistogramFacts& facts);
    void addBracket(double row, const std::optional<ValueRange>& range, Ink ink);
    void colourAxis(QCPAxis* axis) const;

    const Theme* m_theme;
    QCustomPlot* m_plot; ///< a child of the parent
    QCPAxisRect* m_bars;
    QCPAxisRect* m_ranges;
    QCPMarginGroup* m_margins;
    QSharedPointer<CountTicker> m_counts;
    QSharedPointer<LevelTicker> m_levels;
    QSharedPointer<QCPAxisTickerText> m_rangeNames;
    QSharedPointer<QCPAxisTickerText> m_rangeTexts;
    QCPItemStraightLine* m_pointer = nullptr;
    std::array<QCPItemStraightLine*, 2> m_tried{}; ///< null: none
    HistogramFacts m_facts;
    ValueRange m_channelRange; ///< of all channels
};

} // namespace gb::views
