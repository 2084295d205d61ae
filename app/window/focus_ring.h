// A ring around the panel that the keyboard went to, as long as the focus stays in it.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QPointer>
#include <QWidget>

namespace gb::app {

class FocusRing final : public QWidget {
    Q_OBJECT
public:
    explicit FocusRing(QWidget* window);

    /// `panel` has the focus, or a widget in it.
    void surround(QWidget* panel, const views::Theme& theme);
    [[nodiscard]] QWidget* panel() const { return m_panel; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void leave();

    QPointer<QWidget> m_panel; ///< null while nothing is surrounded
    QWidget* m_window;
    QColor m_colour;
};

} // namespace gb::app
