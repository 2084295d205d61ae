#include "window/present_mode.h"

#include <QApplication>
#include <QKeyEvent>

namespace gb::app {

PresentMode::PresentMode(QWidget* window)
    : QObject(window)
    , m_window(window)
    , m_blank(new QWidget(window))
{
    m_blank->setAutoFillBackground(true);
    m_blank->setPalette(QPalette(Qt::black));
    m_blank->setAccessibleName(tr("Blank screen"));
    m_blank->hide();
}

void PresentMode::begin()
{
    qApp->installEventFilter(this);
}

void PresentMode::end()
{
    qApp->removeEventFilter(this);
    m_blank->hide();
}

bool PresentMode::eventFilter(QObject* watched, QEvent* event)
{
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!key || !widget || widget->window() != m_window)
        return QObject::eventFilter(watched, event);
    const auto& pressed = *static_cast<QKeyEvent*>(event);
    if (event->type() == QEvent::KeyPress)
        return act(pressed);
    // what is taken here is no shortcut
    switch (pressed.key()) {
    case Qt::Key_Space:
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
    case Qt::Key_B:
    case Qt::Key_Escape: event->accept(); return true;
    default: return false;
    }
}

bool PresentMode::act(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Space:
    case Qt::Key_PageDown: Q_EMIT next(); return true;
    case Qt::Key_PageUp: Q_EMIT previous(); return true;
    case Qt::Key_B:
        m_blank->setGeometry(m_window->rect());
        m_blank->setVisible(!m_blank->isVisible());
        m_blank->raise();
        return true;
    case Qt::Key_Escape: Q_EMIT left(); return true;
    default: return false;
    }
}

} // namespace gb::app
