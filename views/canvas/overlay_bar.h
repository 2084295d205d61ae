// The colour bar of an overlay in a corner of the canvas: title, unit, and what its ends stand for.
//
// Thread: UI.
#pragma once

#include "picture/overlay.h"
#include "theme/theme.h"

#include <QWidget>

namespace gb::views {

class OverlayBar final : public QWidget {
    Q_OBJECT
public:
    explicit OverlayBar(QWidget* canvas);
    /// Null hides it.
    void setOverlay(const OverlayPtr& overlay, ThemeKind theme);
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    OverlayPtr m_overlay;
    ThemeKind m_theme = ThemeKind::Light;
};

} // namespace gb::views
