#include "figures/curve_plot.h"

#include "plots/plot_picture.h"
#include "plots/qcp.h"
#include "plots/tickers.h"

#include <QMouseEvent>
#include <QVBoxLayout>

#include <cmath>

namespace gb::views {

struct CurvePlot::Plot {
    explicit Plot(QWidget* parent)
        : plot(new QCustomPlot(parent))
        , marker(new QCPItemStraightLine(plot))
    {
    }
    QCustomPlot* plot; ///< a child of the widget
    QCPItemStraightLine* marker;
    double at = 0;
};

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_plot(std::make_unique<Plot>(this))
{
    QCustomPlot& plot = *m_plot->plot;
    plot.setInteractions(QCP::iRangeZoom);
    plot.axisRect()->setRangeZoom(Qt::Horizontal);
    plot.axisRect()->setupFullAxesBox(false);
    plot.installEventFilter(this);
    plot.setFocusPolicy(Qt::NoFocus);
    plot.yAxis->setTicker(QSharedPointer<RealTicker>(new RealTicker));
    QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot.xAxis->setTicker(whole);
    plot.axisRect()->insetLayout()->take(plot.legend); // beside the curves, not over them
    auto* side = new QCPLayoutGrid;
    side->addElement(0, 0, plot.legend);
    side->addElement(1, 0, new QCPLayoutElement(&plot)); // takes the room below
    side->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->addElement(0, 1, side);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
    m_plot->marker->point1->setCoords(0, 0);
    m_plot->marker->point2->setCoords(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(&plot);
    setTheme(*m_theme);
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::setTheme(const Theme& theme)
{
    m_theme = &theme;
    QCustomPlot& plot = *m_plot->plot;
    plot.setBackground(theme.ink(Ink::Page));
    for (QCPAxis* axis : plot.axisRect()->axes()) {
        axis->setBasePen(theme.pen(Ink::Muted));
        axis->setTickPen(theme.pen(Ink::Muted));
        axis->setSubTicks(false);
        axis->setTickLabelColor(theme.ink(Ink::Muted));
        axis->setLabelColor(theme.ink(Ink::Muted));
        axis->setLabelFont(Theme::font(FontRole::Caption));
        axis->setTickLabelFont(Theme::font(FontRole::Caption));
        axis->grid()->setPen(theme.pen(Ink::Faint));
        axis->grid()->setZeroLinePen(axis->orientation() == Qt::Vertical ? theme.pen(Ink::Zero)
                                                                         : theme.pen(Ink::Faint));
    }
    plot.legend->setFont(Theme::font(FontRole::Caption));
    plot.legend->setTextColor(theme.ink(Ink::Text));
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    m_plot->marker->setPen(QPen(theme.ink(Ink::Selection), 2));
    rebuild();
}

void CurvePlot::setCurves(QVector<PlotCurve> curves, const QString& xTitle, const QString& yTitle)
{
    m_curves = std::move(curves);
    m_plot->plot->xAxis->setLabel(xTitle);
    m_plot->plot->yAxis->setLabel(yTitle);
    rebuild();
}

void CurvePlot::rebuild()
{
    QCustomPlot& plot = *m_plot->plot;
    plot.clearGraphs();
    for (const PlotCurve& curve : m_curves) {
        QCPGraph* graph = plot.addGraph();
        graph->setName(curve.name);
        graph->setData(curve.x, curve.y, true);
        graph->setLineStyle(curve.dotted ? QCPGraph::lsNone : QCPGraph::lsLine);
        graph->setPen(m_theme->pen(curve.ink, 2));
        graph->setScatterStyle(QCPScatterStyle(curve.dotted ? QCPScatterStyle::ssPlus : QCPScatterStyle::ssDisc, 5));
    }
    plot.legend->setVisible(m_curves.size() > 1);
    plot.rescaleAxes();
    const auto widen = [](QCPAxis* axis, double share, double least) {
        const QCPRange range = axis->range();
        const double by = std::max(least, share * range.size());
        axis->setRange(range.lower - by, range.upper + by);
    };
    widen(plot.xAxis, 0.02, 0.3);
    widen(plot.yAxis, 0.08, 1e-12);
    plot.replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::setMarker(double x)
{
    m_plot->at = x;
    m_plot->marker->point1->setCoords(x, 0);
    m_plot->marker->point2->setCoords(x, 1);
    m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

double CurvePlot::marker() const
{
    return m_plot->at;
}

void CurvePlot::paintOn(QCPPainter& painter, const QSize& size)
{
    paintPlot(*m_plot->plot, painter, size);
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonDblClick) {
        rebuild();
        return true;
    }
    const bool moves = event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress;
    const auto* mouse = moves ? static_cast<QMouseEvent*>(event) : nullptr;
    if (mouse && mouse->buttons().testFlag(Qt::LeftButton)) {
        Q_EMIT picked(m_plot->plot->xAxis->pixelToCoord(mouse->position().x()));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gb::views
