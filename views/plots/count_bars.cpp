#include "plots/count_bars.h"

#include <QPainterPath>

#include <algorithm>

namespace gb::views {
namespace {
constexpr double kPointWidth = 4; ///< pixels, of a bar that stands for one value
}

CountBars::CountBars(QCPAxis* x, QCPAxis* y)
    : QCPAbstractPlottable(x, y)
{
    setSelectable(QCP::stNone);
    setAntialiased(false);
}

void CountBars::setBars(std::vector<Bar> bars, double floor)
{
    m_bars = std::move(bars);
    m_floor = floor;
}

double CountBars::selectTest(const QPointF&, bool, QVariant*) const
{
    return -1; // never hit
}

QCPRange CountBars::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = !m_bars.empty();
    return found ? QCPRange(m_bars.front().low, m_bars.back().high) : QCPRange();
}

QCPRange CountBars::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = !m_bars.empty();
    if (!found)
        return {};
    return {m_floor, std::ranges::max_element(m_bars, {}, &Bar::top)->top};
}

/// Neighbours that touch are one outline. What lies outside of the axis is cut off here: not every picture can clip.
void CountBars::draw(QCPPainter* painter)
{
    const QCPRange shown = mKeyAxis->range();
    const double floor = mValueAxis->coordToPixel(std::max(m_floor, mValueAxis->range().lower));
    QPainterPath path;
    double end = 0;
    bool open = false;
    const auto close = [&] {
        if (open)
            path.lineTo(end, floor);
        open = false;
    };
    for (const Bar& bar : m_bars) {
        if (bar.high < shown.lower || bar.low > shown.upper)
            continue;
        double left = mKeyAxis->coordToPixel(std::max(bar.low, shown.lower));
        double right = mKeyAxis->coordToPixel(std::min(bar.high, shown.upper));
        if (bar.high <= bar.low) {
            left -= kPointWidth / 2;
            right += kPointWidth / 2;
        }
        const double top = mValueAxis->coordToPixel(std::min(bar.top, mValueAxis->range().upper));
        if (!open || std::abs(left - end) > 0.01) {
            close();
            path.moveTo(left, floor);
            open = true;
        }
        path.lineTo(left, top);
        path.lineTo(right, top);
        end = right;
    }
    close();
    applyDefaultAntialiasingHint(painter);
    painter->setPen(mPen);
    painter->setBrush(mBrush);
    painter->drawPath(path);
}

void CountBars::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const
{
    painter->setPen(mPen);
    painter->setBrush(mBrush);
    painter->drawRect(rect);
}

} // namespace gb::views
