// Where a canvas looks: scene point at the middle of the view and zoom. Canvases that share one are linked.
//
// Thread: UI.
#pragma once

#include <QObject>
#include <QPointF>

#include <algorithm>

namespace gb::views {

class Camera final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    static constexpr double kMinZoom = 0.0002; ///< 20,000 nodes fit in
    static constexpr double kMaxZoom = 8.0;

    [[nodiscard]] QPointF center() const { return m_center; }
    [[nodiscard]] double zoom() const { return m_zoom; }
    void set(QPointF center, double zoom)
    {
        zoom = std::clamp(zoom, kMinZoom, kMaxZoom);
        if (center == m_center && qFuzzyCompare(zoom, m_zoom))
            return;
        m_center = center;
        m_zoom = zoom;
        Q_EMIT changed();
    }
    /// Zooms so that the scene point `fixed` stays where it is on the screen.
    void zoomAt(QPointF fixed, double factor)
    {
        const double zoom = std::clamp(m_zoom * factor, kMinZoom, kMaxZoom);
        set(fixed + (m_center - fixed) * (m_zoom / zoom), zoom);
    }

Q_SIGNALS:
    void changed();

private:
    QPointF m_center;
    double m_zoom = 1.0;
};

} // namespace gb::views
