#include "canvas/overlay_bar.h"

#include "picture/text_measure.h"
#include "theme/perceptual.h"

#include <QPainter>

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kBar = 160;
constexpr double kPad = 8;
constexpr double kBarHeight = 12;
constexpr TextStyle kStyle{FontRole::NodeText, 1, false};

} // namespace

OverlayBar::OverlayBar(QWidget* canvas)
    : QWidget(canvas)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

QString OverlayBar::text() const
{
    if (!m_overlay)
        return {};
    const QString title = m_overlay->logarithmic ? tr("%1 (logarithmic)").arg(m_overlay->title) : m_overlay->title;
    if (!m_overlay->values.empty())
        return title;
    return m_overlay->absent.isEmpty() ? tr("%1: no values at this stage").arg(title)
                                       : QStringLiteral("%1: %2").arg(title, m_overlay->absent);
}

void OverlayBar::setOverlay(const OverlayPtr& overlay, ThemeKind theme)
{
    m_overlay = overlay;
    m_theme = theme;
    setVisible(overlay != nullptr);
    if (!overlay)
        return;
    const QString ends = overlay->text(overlay->low) + QStringLiteral("   ") + overlay->text(overlay->high);
    const double width = std::max({kBar, textWidth(text(), kStyle), textWidth(ends, kStyle)}) + 2 * kPad;
    const double below = overlay->values.empty() ? 0 : lineHeight(kStyle) + kBarHeight + 4; // the bar and its ends
    resize(static_cast<int>(width), static_cast<int>(lineHeight(kStyle) + below + 2 * kPad));
    move(10, 10);
    setAccessibleName(text());
    setAccessibleDescription(tr("%1 to %2").arg(overlay->text(overlay->low), overlay->text(overlay->high)));
    update();
}

void OverlayBar::paintEvent(QPaintEvent*)
{
    if (!m_overlay)
        return;
    QPainter painter(this);
    const Theme& theme = Theme::of(m_theme);
    painter.setPen(theme.pen(Ink::Faint));
    painter.setBrush(theme.ink(Ink::Panel));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setPen(theme.ink(Ink::Text));
    painter.setFont(fontOf(kStyle));
    painter.drawText(QPointF(kPad, kPad + ascent(kStyle)), text());
    if (m_overlay->values.empty())
        return;
    const QRectF bar(kPad, kPad + lineHeight(kStyle) + 2, width() - 2 * kPad, kBarHeight);
    for (int x = 0; x < static_cast<int>(bar.width()); ++x)
        painter.fillRect(QRectF(bar.left() + x, bar.top(), 1, bar.height()), perceptual(x / bar.width()));
    const double below = bar.bottom() + 2 + ascent(kStyle);
    const QString high = m_overlay->text(m_overlay->high);
    painter.drawText(QPointF(bar.left(), below), m_overlay->text(m_overlay->low));
    painter.drawText(QPointF(bar.right() - textWidth(high, kStyle), below), high);
}

} // namespace gb::views
