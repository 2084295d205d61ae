#include "plots/plot_picture.h"

#include "plots/qcp.h"

#include <QPicture>

namespace gb::views {

void paintPlot(QCustomPlot& plot, QCPPainter& painter, const QSize& size)
{
    // ticks are chosen by the room that the layout before gave their axis: the first time lays out
    QPicture aside;
    {
        QCPPainter first(&aside);
        first.setMode(QCPPainter::pmVectorized);
        plot.toPainter(&first, size.width(), size.height());
    }
    plot.toPainter(&painter, size.width(), size.height());
}

} // namespace gb::views
