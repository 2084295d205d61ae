// Fusion, with outlines that are seen.
//
// Fusion makes its outlines from the window's colour, darkened: on a dark window fields, boxes to tick and tabs then
// have none, and a pressed button looks like any other. Here they are drawn again in the palette's Dark, which the
// theme keeps at 3:1 from the window, and what is chosen or pressed in its Highlight.
//
// Thread: the UI thread.
#pragma once

#include <QProxyStyle>

namespace gb::views {

class WidgetStyle final : public QProxyStyle {
    Q_OBJECT
public:
    WidgetStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
};

} // namespace gb::views
