#include "canvas/step_fade.h"

#include <QPainter>

#include <algorithm>

namespace gb::views {
namespace {

constexpr int kFrame = 16; ///< milliseconds

} // namespace

StepFade::StepFade(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kFrame);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_clock.elapsed() >= kOut + kIn)
            stop();
        else
            Q_EMIT frame();
    });
}

void StepFade::start(const QPixmap& before, const QPixmap& between)
{
    m_before = before;
    m_between = between;
    m_clock.start();
    m_timer.start();
    Q_EMIT frame();
}

void StepFade::stop()
{
    if (!running())
        return;
    m_timer.stop();
    m_before = m_between = {};
    Q_EMIT frame();
}

bool StepFade::fadesOut() const
{
    return running() && m_clock.elapsed() < kOut;
}

void StepFade::paint(QPainter& painter) const
{
    if (!running())
        return;
    const auto at = static_cast<double>(m_clock.elapsed());
    const bool out = at < kOut;
    if (out)
        painter.drawPixmap(0, 0, m_between);
    painter.setOpacity(std::clamp(out ? 1 - at / kOut : 1 - (at - kOut) / kIn, 0.0, 1.0));
    painter.drawPixmap(0, 0, out ? m_before : m_between);
    painter.setOpacity(1);
}

} // namespace gb::views
