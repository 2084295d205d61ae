// The keys of a talk: Space and PgDown go on, PgUp goes back (slide clickers send these), B blanks the screen and
// brings it back, Esc ends it. They come before what they mean elsewhere in the window.
//
// Thread: the UI thread.
#pragma once

#include <QObject>
#include <QWidget>

class QKeyEvent;

namespace gb::app {

class PresentMode final : public QObject {
    Q_OBJECT
public:
    explicit PresentMode(QWidget* window);

    void begin();
    void end();
    [[nodiscard]] bool blanked() const { return m_blank->isVisible(); }

Q_SIGNALS:
    void next();
    void previous();
    void left(); ///< Esc

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool act(const QKeyEvent& event);

    QWidget* m_window;
    QWidget* m_blank;
};

} // namespace gb::app
