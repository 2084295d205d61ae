#include "canvas/step_fade.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace gb::views {
namespace {

constexpr int kFrame = 16; ///< milliseconds

} // namespace

StepFade::StepFade(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kFrame);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(static_cast<int>(m_clock.restart())); });
}

void StepFade::start(const QPixmap& before, const QPixmap& between, Way way)
{
    m_before = before;
    m_between = between;
    m_way = std::move(way);
    m_begin = m_way ? m_way(0) : between;
    m_at = 0;
    m_clock.start();
    m_timer.start();
    Q_EMIT frame();
}

void StepFade::stop()
{
    if (!running())
        return;
    m_timer.stop();
    m_before = m_between = m_begin = {};
    m_way = nullptr;
    Q_EMIT frame();
}

void StepFade::advance(int milliseconds)
{
    m_at += milliseconds;
    if (m_at >= kOut + moveTime() + kIn)
        stop();
    else
        Q_EMIT frame();
}

void StepFade::paint(QPainter& painter) const
{
    if (!running())
        return;
    const int moving = m_at - kOut;
    const int coming = moving - moveTime();
    if (moving < 0) {
        painter.drawPixmap(0, 0, m_begin);
        painter.setOpacity(1 - static_cast<double>(m_at) / kOut);
        painter.drawPixmap(0, 0, m_before);
    } else if (coming < 0) {
        painter.drawPixmap(0, 0, m_way(static_cast<double>(moving) / kMove));
    } else {
        painter.setOpacity(1 - static_cast<double>(coming) / kIn);
        painter.drawPixmap(0, 0, m_between);
    }
    painter.setOpacity(1);
}

} // namespace gb::views
