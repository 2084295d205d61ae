// The bars of a histogram as one outline: thousands of bins are one path, on the screen and in an SVG.
//
// Thread: the UI thread.
#pragma once

#include "plots/qcp.h"

#include <vector>

namespace gb::views {

class CountBars final : public QCPAbstractPlottable {
public:
    struct Bar {
        double low = 0; ///< values at its sides
        double high = 0;
        double top = 0; ///< height on the value axis
    };

    CountBars(QCPAxis* x, QCPAxis* y);
    /// In value order, not overlapping; they stand on `floor`. Bars of no width are drawn a few pixels wide.
    void setBars(std::vector<Bar> bars, double floor);

    double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    std::vector<Bar> m_bars;
    double m_floor = 0;
};

} // namespace gb::views
