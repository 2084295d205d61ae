// The step just taken, as motion: what went fades out (80 ms), then what came fades in (120 ms). Nothing moves.
//
// It holds two images of the canvas: as it was, and as it will be without what came. Thread: UI.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPixmap>
#include <QTimer>

class QPainter;

namespace gb::views {

class StepFade final : public QObject {
    Q_OBJECT
public:
    static constexpr int kOut = 80; ///< milliseconds
    static constexpr int kIn = 120;

    explicit StepFade(QObject* parent = nullptr);

    /// `before` is what was shown; `between` the new picture without what came. Null images fade nothing.
    void start(const QPixmap& before, const QPixmap& between);
    void stop();
    [[nodiscard]] bool running() const { return m_timer.isActive(); }
    /// True in the first part, where `between` is shown instead of the new picture.
    [[nodiscard]] bool fadesOut() const;
    /// Over the whole canvas: what is shown besides the new picture.
    void paint(QPainter& painter) const;

Q_SIGNALS:
    void frame();

private:
    QPixmap m_before;
    QPixmap m_between;
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace gb::views
