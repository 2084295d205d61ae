// The step just taken, as motion: what went fades out (80 ms), what stays moves to its new place (100 ms, where places
// are new at all), then what came fades in (120 ms).
//
// It holds images of the canvas and asks for those of the way between. Thread: UI.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPixmap>
#include <QTimer>

#include <functional>

class QPainter;

namespace gb::views {

class StepFade final : public QObject {
    Q_OBJECT
public:
    static constexpr int kOut = 80; ///< milliseconds
    static constexpr int kMove = 100;
    static constexpr int kIn = 120;
    /// The canvas at 0 to 1 of the way, without what went and what came.
    using Way = std::function<QPixmap(double)>;

    explicit StepFade(QObject* parent = nullptr);

    /// `before` is what was shown; `between` the new picture without what came. `way` where boxes move.
    void start(const QPixmap& before, const QPixmap& between, Way way = {});
    void stop();
    /// So many milliseconds later. The clock does it, too.
    void advance(int milliseconds);
    [[nodiscard]] bool running() const { return m_timer.isActive(); }
    [[nodiscard]] bool moves() const { return m_way != nullptr; }
    /// Over the whole canvas: what is shown instead of the new picture, or besides it.
    void paint(QPainter& painter) const;

Q_SIGNALS:
    void frame();

private:
    [[nodiscard]] int moveTime() const { return m_way ? kMove : 0; }

    QPixmap m_before;
    QPixmap m_between;
    QPixmap m_begin; ///< of the way
    Way m_way;       ///< null where nothing moves
    int m_at = 0;    ///< milliseconds since the start
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace gb::views
