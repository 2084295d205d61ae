#include "plots/histogram_view.h"

#include "observers/number_text.h"
#include "picture/label_text.h"
#include "plots/histogram_plot.h"
#include "plots/plot_picture.h"
#include "plots/qparams_text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace gb::views {

struct HistogramView::Plot {
    explicit Plot(QWidget* parent)
        : plot(parent)
    {
    }
    HistogramPlot plot;
    QLabel* readout = nullptr;
    bool setting = false; ///< the range is being set by the program
};

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_message(tr("No observer selected."))
    , m_plot(std::make_unique<Plot>(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Histogram"));
    QCustomPlot& plot = m_plot->plot.widget();
    plot.setFocusPolicy(Qt::NoFocus);
    plot.installEventFilter(this);
    plot.hide();
    m_plot->readout = new QLabel(this);
    m_plot->readout->setFont(Theme::font(FontRole::Caption));
    m_plot->readout->setTextFormat(Qt::PlainText);
    m_plot->readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(1);
    layout->addWidget(&plot, 1);
    layout->addWidget(m_plot->readout);
    connect(&m_plot->plot.xAxis(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [this](const QCPRange& range) {
                if (!m_plot->setting)
                    Q_EMIT xRangeChanged({range.lower, range.upper});
            });
    setTheme(*m_theme);
}

HistogramView::~HistogramView() = default;

void HistogramView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_plot->plot.setTheme(theme);
    QPalette colours = m_plot->readout->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Muted));
    m_plot->readout->setPalette(colours);
    rebuild(true);
}

void HistogramView::setObserver(const std::string& type, const quant::ObserverSettings& settings,
                                const quant::ObserverState& state, bool keepZoom)
{
    const std::int64_t channel = keepZoom ? m_facts.channel : 0;
    m_type = type;
    m_settings = settings;
    m_state = state;
    m_facts = histogramFacts(type, settings, state, channel);
    countValues(m_facts, m_valueRange, m_values);
    m_message.clear();
    if (!m_facts.observed && !m_facts.representable) {
        QStringList lines = noticeLines(m_facts, settings);
        if (lines.isEmpty())
            lines = formulaLines(m_facts, settings);
        m_message = lines.join(QLatin1Char('\n'));
    }
    rebuild(keepZoom);
}

void HistogramView::setValues(const ValueRange& range, std::vector<double> counts)
{
    m_valueRange = range;
    m_values = std::move(counts);
}

void HistogramView::setCompact(bool compact)
{
    m_compact = compact;
    m_plot->plot.setCompact(compact);
}

void HistogramView::setMessage(const QString& sentence)
{
    m_message = sentence;
    m_facts = {};
    m_state = {};
    rebuild(false);
}

void HistogramView::setCountScale(CountScale scale)
{
    m_countScale = scale;
    rebuild(true);
}

void HistogramView::rebuild(bool keepZoom)
{
    const bool plotted = m_message.isEmpty();
    m_plot->plot.widget().setVisible(plotted);
    m_plot->readout->setVisible(plotted);
    setAccessibleDescription(plotted ? readout(m_facts.observed ? m_facts.observed->max : 0) : m_message);
    if (plotted) {
        m_plot->setting = true;
        m_plot->plot.show(m_facts, m_state, m_countScale);
        if (!keepZoom) {
            const ValueRange whole = m_plot->plot.wholeRange();
            m_plot->plot.xAxis().setRange(whole.min, whole.max);
        }
        m_plot->setting = false;
        m_plot->plot.widget().replot(QCustomPlot::rpQueuedReplot);
        point(qQNaN());
    }
    update();
}

void HistogramView::setXRange(const ValueRange& range)
{
    m_plot->setting = true;
    m_plot->plot.xAxis().setRange(range.min, range.max);
    m_plot->setting = false;
    m_plot->plot.widget().replot(QCustomPlot::rpQueuedReplot);
}

void HistogramView::setTried(const ValueRange& range)
{
    m_plot->plot.setTried(range);
    m_plot->plot.widget().replot(QCustomPlot::rpQueuedReplot);
}

ValueRange HistogramView::xRange() const
{
    const QCPRange range = m_plot->plot.xAxis().range();
    return {range.lower, range.upper};
}

ValueRange HistogramView::wholeRange() const
{
    return m_plot->plot.wholeRange();
}

void HistogramView::resetZoom()
{
    const ValueRange whole = m_plot->plot.wholeRange();
    m_plot->plot.xAxis().setRange(whole.min, whole.max);
    m_plot->plot.widget().replot(QCustomPlot::rpQueuedReplot);
}

void HistogramView::setChannel(qint64 channel)
{
    if (channel == m_facts.channel || channel < 0 || channel >= m_facts.channels)
        return;
    m_facts = histogramFacts(m_type, m_settings, m_state, channel);
    rebuild(true);
    Q_EMIT channelChanged(channel);
}

QString HistogramView::readout(double value) const
{
    QStringList parts;
    const auto nearest = m_facts.level(value);
    if (m_compact) { // what has room below a narrow plot
        const auto bin = m_facts.binOf(value);
        parts << displayNumber(value);
        if (bin)
            parts << tr("count %1").arg(countText(m_facts.counts[*bin]));
        if (nearest)
            parts << tr("q %1 → %2")
                         .arg(displayNumber(static_cast<double>(*nearest)),
                              displayNumber(*m_facts.dequantized(*nearest)));
        return parts.join(QStringLiteral(" · "));
    }
    if (const auto bin = m_facts.binOf(value)) {
        const ValueRange range = m_facts.bin(*bin);
        parts
            << tr("bin %1: %2, count %3").arg(QString::number(*bin), rangeText(range), countText(m_facts.counts[*bin]));
    } else {
        parts << tr("value %1").arg(displayNumber(value));
    }
    if (nearest) {
        const double back = *m_facts.dequantized(*nearest);
        parts << tr("q %1 → %2").arg(displayNumber(static_cast<double>(*nearest)), displayNumber(back));
        parts << tr("error %1").arg(displayNumber(back - value));
    }
    return parts.join(QStringLiteral(" · "));
}

void HistogramView::point(double value)
{
    m_plot->readout->setText(std::isnan(value) ? tr("Wheel zooms, drag moves, 0 shows all.") : readout(value));
    m_plot->plot.setPointer(value);
}

void HistogramView::hover(const QPointF& at)
{
    const double value = m_plot->plot.onBars(at) ? m_plot->plot.xAxis().pixelToCoord(at.x()) : qQNaN();
    point(value);
    Q_EMIT pointed(value);
}

void HistogramView::press(const QPointF& at)
{
    setFocus(Qt::MouseFocusReason);
    if (m_facts.kind == ObserverKind::PerChannel && m_plot->plot.onBars(at))
        setChannel(std::lround(m_plot->plot.yAxis().pixelToCoord(at.y())));
}

bool HistogramView::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove: hover(static_cast<QMouseEvent*>(event)->position()); break;
    case QEvent::MouseButtonPress: press(static_cast<QMouseEvent*>(event)->position()); break;
    case QEvent::MouseButtonDblClick: resetZoom(); break;
    case QEvent::Leave: point(qQNaN()); break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void HistogramView::keyPressEvent(QKeyEvent* event)
{
    const ValueRange shown = xRange();
    const auto move = [&](double by) { m_plot->plot.xAxis().setRange(shown.min + by, shown.max + by); };
    const auto zoom = [&](double factor) { m_plot->plot.xAxis().scaleRange(factor); };
    switch (event->key()) {
    case Qt::Key_Left: move(-shown.width() / 10); break;
    case Qt::Key_Right: move(shown.width() / 10); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1 / 1.25); break;
    case Qt::Key_Minus: zoom(1.25); break;
    case Qt::Key_0:
    case Qt::Key_Home: resetZoom(); break;
    case Qt::Key_Up: setChannel(m_facts.channel - 1); break;
    case Qt::Key_Down: setChannel(m_facts.channel + 1); break;
    default: QWidget::keyPressEvent(event); return;
    }
    m_plot->plot.widget().replot(QCustomPlot::rpQueuedReplot);
}

void HistogramView::paintOn(QCPPainter& painter, const QSize& size)
{
    if (m_message.isEmpty()) {
        m_plot->plot.setPointer(qQNaN());
        paintPlot(m_plot->plot.widget(), painter, size);
        return;
    }
    painter.setPen(m_theme->ink(Ink::Muted));
    painter.setFont(Theme::font(FontRole::Caption));
    painter.drawText(QRect(QPoint(), size).adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, m_message);
}

void HistogramView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->ink(Ink::Page));
    if (!m_message.isEmpty()) {
        painter.setPen(m_theme->ink(Ink::Muted));
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, m_message);
    }
    if (hasFocus()) {
        painter.setPen(m_theme->pen(Ink::Focus, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace gb::views
