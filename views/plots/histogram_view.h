// One observer's picture: histogram, ranges, levels, clipped mass; or its channels.
//
// x is the real value, the upper axis the quantized one. Below the bars stand three brackets: observed, chosen and
// representable range. Wheel zooms at the pointer, drag pans, 0 or a double click shows everything; with the focus,
// arrows pan, + and - zoom. A per-channel observer shows one line a channel; click or up/down choose one.
//
// Thread: the UI thread.
#pragma once

#include "plots/histogram_facts.h"
#include "theme/theme.h"

#include <QWidget>

#include <memory>

class QCPPainter;

namespace gb::views {

/// How counts become heights.
enum class CountScale : unsigned char { Log, SquareRoot, Linear };

class HistogramView final : public QWidget {
    Q_OBJECT

public:
    explicit HistogramView(QWidget* parent = nullptr);
    ~HistogramView() override;

    void setTheme(const Theme& theme);
    /// Shows an observer; the zoom stays where `keepZoom`.
    void setObserver(const std::string& type, const quant::ObserverSettings& settings,
                     const quant::ObserverState& state, bool keepZoom = false);
    /// The histogram of the values that the next observers saw (countValues in histogram_facts.h); empty counts: none.
    void setValues(const ValueRange& range, std::vector<double> counts);
    /// Fewer words, for plots side by side: no texts at the ranges, no axis title.
    void setCompact(bool compact);
    /// Shows a sentence instead of a plot.
    void setMessage(const QString& sentence);
    void setCountScale(CountScale scale);
    void setXRange(const ValueRange& range);
    /// Two lines at the ends of a range that is being tried out; they stay until the next observer.
    void setTried(const ValueRange& range);
    [[nodiscard]] ValueRange xRange() const;
    /// The range that resetZoom() shows: everything.
    [[nodiscard]] ValueRange wholeRange() const;
    /// What is shown of the selected channel.
    [[nodiscard]] const HistogramFacts& facts() const { return m_facts; }
    /// What the pointer is over: "bin 512: −0.2 … −0.19, count 31 · q −12 → −0.195"; for tests and screen readers.
    [[nodiscard]] QString readout(double value) const;
    [[nodiscard]] QString message() const { return m_message; }

    /// For pictures: the plot, or its sentence, at another size.
    void paintOn(QCPPainter& painter, const QSize& size);

    [[nodiscard]] QSize sizeHint() const override { return {420, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 150}; }

public Q_SLOTS:
    void resetZoom();
    void setChannel(qint64 channel);
    /// The cursor line and its readout at a value; NaN takes them away.
    void point(double value);

Q_SIGNALS:
    void pointed(double value);                             ///< the pointer moved over the bars, or left them (NaN)
    void xRangeChanged(const gb::views::ValueRange& range); ///< by the user
    void channelChanged(qint64 channel);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Plot;
    void rebuild(bool keepZoom);
    void hover(const QPointF& at);
    void press(const QPointF& at);

    const Theme* m_theme;
    std::string m_type;
    quant::ObserverSettings m_settings;
    quant::ObserverState m_state;
    ValueRange m_valueRange;
    std::vector<double> m_values;
    HistogramFacts m_facts;
    CountScale m_countScale = CountScale::Log;
    QString m_message;
    bool m_compact = false;
    std::unique_ptr<Plot> m_plot;
};

} // namespace gb::views
