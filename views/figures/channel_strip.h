// The strip of channels: a row a channel, how many of its values stand where by colour; outliers have a mark at the
// right, the pinned channel a frame.
//
// A click pins a channel; with the focus, up and down go to the neighbours, Home and End to the ends. The wheel zooms
// into the channels, a double click shows all.
//
// Thread: the UI thread.
#pragma once

#include "numbers/figures.h"
#include "theme/theme.h"

#include <QVector>
#include <QWidget>

#include <memory>

class QCPPainter;

namespace gb::views {

/// What the x axis of the strip is.
enum class StripUnit : unsigned char { Value, Level };

class ChannelStrip final : public QWidget {
    Q_OBJECT

public:
    explicit ChannelStrip(QWidget* parent = nullptr);
    ~ChannelStrip() override;
    void setTheme(const Theme& theme);
    /// Where nothing is counted, lines from min to max are shown.
    void setFigure(const numbers::ChannelsFigure& figure, StripUnit unit);
    /// The channels from above to below; all, each once.
    void setOrder(QVector<int> order);
    void setPinned(int channel);
    [[nodiscard]] int pinned() const { return m_pinned; }
    [[nodiscard]] const QVector<int>& order() const { return m_order; }
    /// The share of the colour scale that a cell has, 0 to 1; row and bin as shown. For tests.
    [[nodiscard]] double shade(int row, int bin) const;
    void paintOn(QCPPainter& painter, const QSize& size);

    [[nodiscard]] QSize sizeHint() const override { return {320, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 110}; }

Q_SIGNALS:
    void picked(int channel); ///< by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Plot;
    void rebuild();
    void fillMap();
    void addLines();
    void addMarks();
    void frame();
    void pick(int row);
    [[nodiscard]] int rowOf(int channel) const { return static_cast<int>(m_order.indexOf(channel)); }

    const Theme* m_theme;
    numbers::ChannelCounts m_counts;
    numbers::Channels m_channels;
    StripUnit m_unit = StripUnit::Value;
    QVector<int> m_order;
    int m_pinned = 0;
    std::unique_ptr<Plot> m_plot;
};

} // namespace gb::views
