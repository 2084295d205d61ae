// A plot onto any painter, at any size: for pictures.
//
// Thread: the UI thread.
#pragma once

#include <QSize>

class QCPPainter;
class QCustomPlot;

namespace gb::views {

/// Paints what the plot shows into the rectangle from (0, 0) to `size`. The same plot gives the same picture, whatever
/// size it had on the screen.
void paintPlot(QCustomPlot& plot, QCPPainter& painter, const QSize& size);

} // namespace gb::views
