// The run as a line: a band for each stage, a tick for each event that changed something, the cursor.
//
// A click or drag moves the cursor to the nearest step; the arrow keys, Home, End and Page keys step. Bands are as
// wide as they have steps, but never narrower than their name.
//
// Thread: the UI thread.
#pragma once

#include "session/session.h"
#include "theme/theme.h"

#include <QWidget>

namespace gb::views {

class Timeline final : public QWidget {
    Q_OBJECT

public:
    explicit Timeline(Session* session, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Events at which breakpoints stop: a dot for each.
    void setStops(std::vector<int> events);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Where a step stands, in pixels from the left; for tests.
    [[nodiscard]] double positionOf(int event) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Band {
        QString title;
        int first = 0; ///< its first event
        int last = 0;  ///< the stage event itself, or the last event of a run that ended early
        std::vector<int> steps;
        double left = 0;
        double right = 0;
    };

    void findBands();
    void placeBands();
    [[nodiscard]] int nearestStep(double x) const;
    void paintBand(QPainter& painter, const Band& band, bool current) const;
    void paintCursor(QPainter& painter) const;
    void paintStops(QPainter& painter) const;

    Session* m_session;
    const Theme* m_theme;
    std::vector<Band> m_bands;
    std::vector<int> m_stops;
};

} // namespace gb::views
