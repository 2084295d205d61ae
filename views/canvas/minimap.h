// The whole graph in a corner of the canvas, with a frame around what is shown. A press or a drag in it looks there.
//
// Thread: UI. The picture is painted once, off the UI thread, and kept; only the frame moves.
#pragma once

#include "canvas/camera.h"
#include "jobs/job_runner.h"
#include "picture/picture.h"

#include <QImage>
#include <QWidget>

namespace gb::views {

class Minimap final : public QWidget {
    Q_OBJECT
public:
    explicit Minimap(QWidget* canvas);

    void setPicture(const PicturePtr& picture, ThemeKind theme);
    /// What the canvas shows, in scene pixels.
    void setView(const QRectF& scene);
    /// Puts itself into the corner.
    void place();
    [[nodiscard]] QPointF toScene(QPointF widget) const;

Q_SIGNALS:
    void lookAt(QPointF scene);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void paintImage();
    [[nodiscard]] QRectF content() const;
    [[nodiscard]] double scale() const;

    PicturePtr m_picture;
    ThemeKind m_theme = ThemeKind::Light;
    QRectF m_view;
    QImage m_image;      ///< of a picture before, until the new one is painted
    bool m_stale = true; ///< m_image is to be painted anew, once it is seen
    JobRunner m_jobs;
};

} // namespace gb::views
