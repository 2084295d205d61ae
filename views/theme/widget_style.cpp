#include "theme/widget_style.h"

#include <QPainter>
#include <QStyleOption>

namespace gb::views {
namespace {

constexpr double kRound = 2;
constexpr int kAccent = 3; ///< height of the line at a chosen tab

void drawOutline(QPainter& painter, const QRect& rect, QColor colour, const QBrush& fill = Qt::NoBrush)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
    painter.restore();
}

/// What has the focus keeps Fusion's frame in the highlight's colour.
void drawFieldOutline(QPainter& painter, const QStyleOption& option)
{
    if (option.state & QStyle::State_HasFocus)
        return;
    const bool enabled = option.state & QStyle::State_Enabled;
    drawOutline(painter, option.rect, option.palette.color(enabled ? QPalette::Dark : QPalette::Mid));
}

void drawPressed(QPainter& painter, const QStyleOption& option)
{
    QColor veil = option.palette.color(QPalette::Highlight);
    veil.setAlphaF(0.28F);
    drawOutline(painter, option.rect, option.palette.color(QPalette::Highlight), veil);
}

/// Along the side of the tab that is away from its page.
QRect accentOf(const QStyleOptionTab& tab)
{
    QRect line = tab.rect;
    switch (tab.shape) {
    case QTabBar::RoundedSouth:
    case QTabBar::TriangularSouth: line.setTop(line.bottom() - kAccent + 1); break;
    case QTabBar::RoundedWest:
    case QTabBar::TriangularWest: line.setRight(line.left() + kAccent - 1); break;
    case QTabBar::RoundedEast:
    case QTabBar::TriangularEast: line.setLeft(line.right() - kAccent + 1); break;
    default: line.setBottom(line.top() + kAccent - 1); break;
    }
    return line;
}

} // namespace

WidgetStyle::WidgetStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void WidgetStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_FrameLineEdit:
    case PE_IndicatorCheckBox: drawFieldOutline(*painter, *option); break;
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
        if (option->state & State_On)
            drawPressed(*painter, *option);
        break;
    default: break;
    }
}

void WidgetStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    QProxyStyle::drawControl(element, option, painter, widget);
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    if (element == CE_TabBarTabShape && tab && (tab->state & State_Selected))
        painter->fillRect(accentOf(*tab), tab->palette.color(QPalette::Highlight));
}

void WidgetStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox || control == CC_SpinBox)
        drawFieldOutline(*painter, *option);
}

} // namespace gb::views
