#include "window/focus_ring.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace gb::app {

FocusRing::FocusRing(QWidget* window)
    : QWidget(window)
    , m_window(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (m_panel && now && now != m_panel && !m_panel->isAncestorOf(now))
            leave();
    });
}

void FocusRing::surround(QWidget* panel, const views::Theme& theme)
{
    leave();
    m_panel = panel;
    m_colour = theme.ink(views::Ink::Focus);
    panel->installEventFilter(this);
    setParent(panel->parentWidget()); // beside it: a splitter would take it for one of its own
    setGeometry(panel->geometry());
    show();
    raise();
}

/// Back to the window: a panel that goes must not take the ring along.
void FocusRing::leave()
{
    hide();
    if (m_panel)
        m_panel->removeEventFilter(this);
    m_panel = nullptr;
    setParent(m_window);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_panel && (event->type() == QEvent::Resize || event->type() == QEvent::Move))
        setGeometry(m_panel->geometry());
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(QPen(m_colour, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

} // namespace gb::app
