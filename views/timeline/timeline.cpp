#include "timeline/timeline.h"

#include "session/translate.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {
constexpr double kMargin = 8;  ///< left and right of the bands
constexpr double kPadding = 8; ///< around a band's name
constexpr double kTickHeight = 9;
} // namespace

Timeline::Timeline(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(&Theme::of(ThemeKind::Light))
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Timeline"));
    connect(session, &Session::recordingChanged, this, &Timeline::findBands);
    connect(session, &Session::cursorChanged, this, [this] {
        const trace::Event* e = m_session->current();
        setAccessibleDescription(e ? translated(e->sentence) : QString());
        update();
    });
    findBands();
}

void Timeline::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

QSize Timeline::sizeHint() const
{
    return {600, fontMetrics().height() + static_cast<int>(kTickHeight) + 18};
}

QSize Timeline::minimumSizeHint() const
{
    return {200, sizeHint().height()};
}

void Timeline::findBands()
{
    m_bands.clear();
    Band band;
    for (int i = 0; i < m_session->eventCount(); ++i) {
        const trace::Event& e = m_session->recording()->events[static_cast<std::size_t>(i)];
        if (e.changesSomething())
            band.steps.push_back(i);
        band.last = i;
        if (e.kind != trace::EventKind::Stage)
            continue;
        band.title = stageTitle(QString::fromStdString(e.name));
        m_bands.push_back(std::exchange(band, Band()));
        band.first = i + 1;
    }
    if (!band.steps.empty()) { // what came after the last stage
        band.title = m_session->recording()->failure ? tr("Error") : tr("Outputs");
        m_bands.push_back(band);
    }
    placeBands();
}

void Timeline::placeBands()
{
    // each band gets the room of its name; what is left is shared by the number of steps
    double names = 0;
    double steps = 0;
    for (Band& b : m_bands) {
        b.right = fontMetrics().horizontalAdvance(b.title) + 2 * kPadding;
        names += b.right;
        steps += static_cast<double>(b.steps.size());
    }
    const double room = std::max(0.0, width() - 2 * kMargin - names);
    const double perStep = steps > 0 ? room / steps : 0;
    double at = kMargin;
    for (Band& b : m_bands) {
        b.left = at;
        at += b.right + perStep * static_cast<double>(b.steps.size());
        b.right = at;
    }
    update();
}

double Timeline::positionOf(int event) const
{
    for (const Band& b : m_bands) {
        if (event > b.last)
            continue;
        const auto after = std::upper_bound(b.steps.begin(), b.steps.end(), event) - b.steps.begin();
        const double share = static_cast<double>(after) / (static_cast<double>(b.steps.size()) + 1);
        return b.left + (b.right - b.left) * share;
    }
    return m_bands.empty() ? kMargin : m_bands.back().right;
}

int Timeline::nearestStep(double x) const
{
    int best = -1;
    double distance = 1e9;
    for (const Band& b : m_bands)
        for (const int step : b.steps)
            if (const double d = std::abs(positionOf(step) - x); d < distance) {
                distance = d;
                best = step;
            }
    return best;
}

void Timeline::paintBand(QPainter& painter, const Band& band, bool current) const
{
    const QRectF box(band.left + 0.5, 4.5, band.right - band.left - 2, height() - 9);
    painter.setPen(m_theme->pen(current ? Ink::Selection : Ink::Faint, current ? 1.5 : 1.0));
    painter.setBrush(m_theme->ink(current ? Ink::LabelStrip : Ink::Panel));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(m_theme->ink(current ? Ink::Text : Ink::Muted));
    const QRectF title(box.left() + 6, box.top() + 2, box.width() - 8, fontMetrics().height());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, band.title);
    painter.setPen(m_theme->pen(Ink::Muted));
    double last = -1e9;
    for (const int step : band.steps) {
        const double x = positionOf(step);
        if (x - last < 1.5) // denser than the screen: one tick stands for several
            continue;
        last = x;
        painter.drawLine(QPointF(x, box.bottom() - 3), QPointF(x, box.bottom() - 3 - kTickHeight / 2));
    }
}

void Timeline::paintCursor(QPainter& painter) const
{
    const double x = positionOf(m_session->cursor());
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->ink(Ink::Selection));
    painter.drawRect(QRectF(x - 1, 4, 2, height() - 8));
    const QPointF tip[] = {{x - 5, 1}, {x + 5, 1}, {x, 8}};
    painter.drawPolygon(tip, 3);
}

void Timeline::setStops(std::vector<int> events)
{
    m_stops = std::move(events);
    update();
}

void Timeline::paintStops(QPainter& painter) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->ink(Ink::Error));
    double last = -1e9;
    for (const int stop : m_stops) {
        const double x = positionOf(stop);
        if (x - last < 1.5) // denser than the screen: one dot stands for several
            continue;
        last = x;
        painter.drawEllipse(QPointF(x, height() - 6.5), 3.0, 3.0);
    }
}

void Timeline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme->ink(Ink::Panel));
    for (const Band& b : m_bands)
        paintBand(painter, b, m_session->cursor() >= b.first && m_session->cursor() <= b.last);
    paintStops(painter);
    if (!m_bands.empty())
        paintCursor(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_theme->pen(Ink::Focus, 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void Timeline::mousePressEvent(QMouseEvent* event)
{
    if (const int step = nearestStep(event->position().x()); step >= 0)
        m_session->setCursor(step);
}

void Timeline::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        mousePressEvent(event);
}

void Timeline::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left: m_session->stepBack(); break;
    case Qt::Key_Right: m_session->stepForward(); break;
    case Qt::Key_Home: m_session->toFirst(); break;
    case Qt::Key_End: m_session->toLast(); break;
    case Qt::Key_PageUp: m_session->toPreviousStage(); break;
    case Qt::Key_PageDown: m_session->toNextStage(); break;
    default: QWidget::keyPressEvent(event);
    }
}

bool Timeline::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int step = nearestStep(help->pos().x());
        if (step >= 0)
            QToolTip::showText(help->globalPos(),
                               translated(m_session->recording()->events[static_cast<std::size_t>(step)].sentence),
                               this);
        return true;
    }
    return QWidget::event(event);
}

void Timeline::resizeEvent(QResizeEvent*)
{
    placeBands();
}

void Timeline::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        placeBands();
    QWidget::changeEvent(event);
}

} // namespace gb::views
