#include "figures/channel_strip.h"

#include "plots/plot_picture.h"
#include "plots/qcp.h"
#include "plots/tickers.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kFaintest = 0.18; ///< of the colour scale: a cell with a single value is still seen

/// Whole numbers, each with the channel that stands there.
class ChannelTicker final : public QCPAxisTickerFixed {
public:
    ChannelTicker()
    {
        setTickStep(1);
        setScaleStrategy(ssMultiples);
    }
    QVector<int> order;

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const auto row = static_cast<qsizetype>(std::lround(tick));
        return row >= 0 && row < order.size() ? QString::number(order[row]) : QString();
    }
    int getSubTickCount(double) override { return 0; }
};

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + share * (y - x))); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

} // namespace

struct ChannelStrip::Plot {
    explicit Plot(QWidget* parent)
        : plot(new QCustomPlot(parent))
        , map(new QCPColorMap(plot->xAxis, plot->yAxis))
        , channels(new ChannelTicker)
    {
    }
    QCustomPlot* plot; ///< a child of the widget
    QCPColorMap* map;
    QSharedPointer<ChannelTicker> channels;
    QCPItemRect* frame = nullptr;
};

ChannelStrip::ChannelStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_plot(std::make_unique<Plot>(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Channels"));
    QCustomPlot& plot = *m_plot->plot;
    plot.setInteractions(QCP::iRangeZoom | QCP::iRangeDrag);
    plot.axisRect()->setRangeZoom(Qt::Vertical);
    plot.axisRect()->setRangeDrag(Qt::Vertical);
    plot.axisRect()->setupFullAxesBox(false);
    plot.axisRect()->setMinimumMargins(QMargins(0, 4, 14, 0)); // the marks stand at the right
    plot.installEventFilter(this);
    plot.setFocusPolicy(Qt::NoFocus);
    plot.xAxis->setTicker(QSharedPointer<RealTicker>(new RealTicker));
    plot.xAxis->ticker()->setTickCount(3);
    plot.yAxis->setTicker(m_plot->channels);
    plot.yAxis->setRangeReversed(true);
    for (QCPAxis* axis : plot.axisRect()->axes()) {
        axis->setSubTicks(false);
        axis->setTickLabelFont(Theme::font(FontRole::Caption));
        axis->setLabelFont(Theme::font(FontRole::Caption));
        axis->grid()->setVisible(false);
    }
    m_plot->map->setInterpolate(false);
    m_plot->map->setTightBoundary(false);
    m_plot->map->setSelectable(QCP::stNone);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(&plot);
    setTheme(*m_theme);
}

ChannelStrip::~ChannelStrip() = default;

void ChannelStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_plot->plot->setBackground(theme.ink(Ink::Page));
    for (QCPAxis* axis : m_plot->plot->axisRect()->axes()) {
        axis->setBasePen(theme.pen(Ink::Muted));
        axis->setTickPen(theme.pen(Ink::Muted));
        axis->setTickLabelColor(theme.ink(Ink::Muted));
        axis->setLabelColor(theme.ink(Ink::Muted));
    }
    rebuild();
}

void ChannelStrip::setFigure(const numbers::ChannelsFigure& figure, StripUnit unit)
{
    m_unit = unit;
    m_channels = figure.channels;
    m_counts = unit == StripUnit::Level ? figure.levels : figure.counts;
    const auto count = static_cast<qsizetype>(m_channels.rows.size());
    if (m_order.size() != count) {
        m_order.resize(count);
        for (qsizetype i = 0; i < count; ++i)
            m_order[i] = static_cast<int>(i);
    }
    m_pinned = std::clamp(m_pinned, 0, std::max(0, static_cast<int>(count) - 1));
    rebuild();
}

void ChannelStrip::setOrder(QVector<int> order)
{
    if (order == m_order || order.size() != static_cast<qsizetype>(m_channels.rows.size()))
        return;
    m_order = std::move(order);
    rebuild();
}

void ChannelStrip::setPinned(int channel)
{
    if (channel < 0 || channel >= m_order.size())
        return;
    m_pinned = channel;
    frame();
    m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChannelStrip::rebuild()
{
    QCustomPlot& plot = *m_plot->plot;
    plot.clearItems();
    plot.clearGraphs();
    m_plot->frame = nullptr;
    m_plot->channels->order = m_order;
    plot.xAxis->setLabel(m_unit == StripUnit::Level ? tr("value / scale") : tr("value"));
    plot.yAxis->setLabel(tr("channel"));
    plot.yAxis->setRange(-0.5, static_cast<double>(std::max<qsizetype>(1, m_order.size())) - 0.5);
    const bool counted = m_counts.channels == m_order.size() && m_counts.channels > 0;
    m_plot->map->setVisible(counted);
    if (counted)
        fillMap();
    else
        addLines();
    addMarks();
    frame();
    plot.replot(QCustomPlot::rpQueuedReplot);
}

double ChannelStrip::shade(int row, int bin) const
{
    return m_plot->map->data()->cell(bin, row);
}

/// The logarithm of the count, of each channel against its own largest one: a channel with few values is as clear as
/// one with many.
void ChannelStrip::fillMap()
{
    QCPColorMapData* cells = m_plot->map->data();
    const auto bins = static_cast<int>(m_counts.bins);
    const auto rows = static_cast<int>(m_order.size());
    cells->setSize(bins, rows);
    const double half = (m_counts.max - m_counts.min) / (2 * bins);
    cells->setKeyRange({m_counts.min + half, m_counts.max - half}); // middles of the cells
    cells->setValueRange({0, static_cast<double>(std::max(1, rows - 1))});
    for (int row = 0; row < rows; ++row) {
        double most = 1;
        for (int bin = 0; bin < bins; ++bin)
            most = std::max(most, m_counts.at(m_order[row], bin));
        for (int bin = 0; bin < bins; ++bin) {
            const double count = m_counts.at(m_order[row], bin);
            cells->setCell(bin, row,
                           count > 0 ? kFaintest + (1 - kFaintest) * std::log1p(count) / std::log1p(most) : 0);
        }
    }
    QCPColorGradient gradient;
    gradient.clearColorStops();
    const QColor page = m_theme->ink(Ink::Page);
    const QColor bar = m_theme->ink(Ink::HistogramBar);
    gradient.setColorStopAt(0, page);
    gradient.setColorStopAt(kFaintest, mixed(page, bar, 0.35));
    gradient.setColorStopAt(1, mixed(bar, m_theme->ink(Ink::Text), 0.35));
    m_plot->map->setGradient(gradient);
    m_plot->map->setDataRange({0, 1});
    m_plot->plot->xAxis->setRange(m_counts.min, m_counts.max);
}

void ChannelStrip::addLines()
{
    QCustomPlot& plot = *m_plot->plot;
    double least = 0;
    double most = 0;
    QVector<QCPGraphData> lines;
    for (int row = 0; row < static_cast<int>(m_order.size()); ++row) {
        const numbers::ChannelRow& channel = m_channels.rows[static_cast<std::size_t>(m_order[row])];
        const double unit = m_unit == StripUnit::Level && channel.scale > 0 ? channel.scale : 1;
        if (!std::isfinite(channel.min) || !std::isfinite(channel.max))
            continue;
        const double y = row;
        lines << QCPGraphData{y, channel.min / unit} << QCPGraphData{y, channel.max / unit} << QCPGraphData{y, qQNaN()};
        least = std::min(least, channel.min / unit);
        most = std::max(most, channel.max / unit);
    }
    auto* graph = new QCPGraph(plot.yAxis, plot.xAxis);
    graph->data()->set(lines, true);
    graph->setAdaptiveSampling(false);
    graph->setSelectable(QCP::stNone);
    QPen pen = m_theme->pen(Ink::HistogramBar, 3);
    pen.setCapStyle(Qt::FlatCap);
    graph->setPen(pen);
    const double margin = most > least ? 0.03 * (most - least) : 1;
    plot.xAxis->setRange(least - margin, most + margin);
}

/// A triangle at the right edge for each outlier.
void ChannelStrip::addMarks()
{
    QCustomPlot& plot = *m_plot->plot;
    for (int row = 0; row < static_cast<int>(m_order.size()); ++row) {
        if (!m_channels.rows[static_cast<std::size_t>(m_order[row])].outlier)
            continue;
        auto* mark = new QCPItemText(&plot);
        mark->setClipToAxisRect(false);
        mark->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        mark->position->setTypeY(QCPItemPosition::ptPlotCoords);
        mark->position->setAxes(plot.xAxis, plot.yAxis);
        mark->position->setCoords(1.0, row);
        mark->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        mark->setPadding(QMargins(2, 0, 0, 0));
        mark->setFont(Theme::font(FontRole::Caption));
        mark->setColor(m_theme->ink(Ink::Warning));
        mark->setText(QStringLiteral("◀"));
    }
}

void ChannelStrip::frame()
{
    QCustomPlot& plot = *m_plot->plot;
    const int row = rowOf(m_pinned);
    if (row < 0)
        return;
    if (!m_plot->frame) {
        m_plot->frame = new QCPItemRect(&plot);
        m_plot->frame->setBrush(Qt::NoBrush);
        m_plot->frame->setPen(m_theme->pen(Ink::Selection, 2));
        for (QCPItemPosition* corner : {m_plot->frame->topLeft, m_plot->frame->bottomRight})
            corner->setTypeX(QCPItemPosition::ptAxisRectRatio);
    }
    m_plot->frame->topLeft->setCoords(0, row - 0.5);
    m_plot->frame->bottomRight->setCoords(1, row + 0.5);
}

void ChannelStrip::paintOn(QCPPainter& painter, const QSize& size)
{
    paintPlot(*m_plot->plot, painter, size);
}

void ChannelStrip::pick(int row)
{
    if (row < 0 || row >= m_order.size())
        return;
    setPinned(m_order[row]);
    Q_EMIT picked(m_pinned);
}

bool ChannelStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonDblClick) {
        rebuild();
        return true;
    }
    if (event->type() == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        const QPointF at = static_cast<QMouseEvent*>(event)->position();
        if (m_plot->plot->axisRect()->rect().contains(at.toPoint()))
            pick(static_cast<int>(std::lround(m_plot->plot->yAxis->pixelToCoord(at.y()))));
    }
    return QWidget::eventFilter(watched, event);
}

void ChannelStrip::keyPressEvent(QKeyEvent* event)
{
    const int row = rowOf(m_pinned);
    switch (event->key()) {
    case Qt::Key_Up: pick(row - 1); break;
    case Qt::Key_Down: pick(row + 1); break;
    case Qt::Key_Home: pick(0); break;
    case Qt::Key_End: pick(static_cast<int>(m_order.size()) - 1); break;
    default: QWidget::keyPressEvent(event);
    }
}

void ChannelStrip::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(m_theme->pen(Ink::Focus, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

} // namespace gb::views
