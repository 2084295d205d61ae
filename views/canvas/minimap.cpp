#include "canvas/minimap.h"

#include "picture/painter.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace gb::views {
namespace {

constexpr int kWidth = 190;
constexpr int kHeight = 150;
constexpr int kInset = 10; ///< from the canvas's corner
constexpr double kPad = 4;
constexpr double kNarrowest = 48; ///< still easy to hit
constexpr double kSmallest = 5;   ///< the frame stays findable

} // namespace

Minimap::Minimap(QWidget* canvas)
    : QWidget(canvas)
{
    setAccessibleName(tr("Minimap"));
    setCursor(Qt::PointingHandCursor);
    resize(kWidth, kHeight);
}

void Minimap::setPicture(const PicturePtr& picture, ThemeKind theme)
{
    const bool same = picture && m_picture && picture->bounds == m_picture->bounds;
    m_picture = picture;
    m_theme = theme;
    m_stale = true;
    if (!same)
        place();
    update();
}

void Minimap::setView(const QRectF& scene)
{
    m_view = scene;
    update();
}

void Minimap::place()
{
    const QWidget* canvas = parentWidget();
    // a narrow pane keeps most of its room, and a tall graph needs no wide map
    QSizeF room(std::min(kWidth, canvas->width() / 3), std::min(kHeight, canvas->height() / 3));
    if (m_picture && !m_picture->bounds.isEmpty()) {
        const QSizeF fitted = m_picture->bounds.size().scaled(room - QSizeF(2 * kPad, 2 * kPad), Qt::KeepAspectRatio);
        room = room.boundedTo((fitted + QSizeF(2 * kPad, 2 * kPad)).expandedTo({kNarrowest, kNarrowest}));
    }
    resize(room.toSize());
    move(canvas->width() - width() - kInset, canvas->height() - height() - kInset);
    m_stale = true;
    update();
}

double Minimap::scale() const
{
    const QRectF& all = m_picture->bounds;
    return std::min((width() - 2 * kPad) / std::max(1.0, all.width()),
                    (height() - 2 * kPad) / std::max(1.0, all.height()));
}

QRectF Minimap::content() const
{
    QRectF out(QPointF(), m_picture->bounds.size() * scale());
    out.moveCenter(QRectF(rect()).center());
    return out;
}

QPointF Minimap::toScene(QPointF widget) const
{
    return (widget - content().topLeft()) / scale() + m_picture->bounds.topLeft();
}

void Minimap::paintImage()
{
    const QRectF place = content();
    const double factor = scale();
    QImage image(size() * devicePixelRatioF(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(devicePixelRatioF());
    image.fill(Qt::transparent);
    m_jobs.start(QString(), [this, picture = m_picture, theme = m_theme, place, factor, image](const base::Work&) {
        QImage painted = image;
        QPainter inside(&painted);
        inside.translate(place.topLeft());
        inside.scale(factor, factor);
        inside.translate(-picture->bounds.topLeft());
        PaintOptions options;
        options.detail = Detail::Blocks;
        options.zoom = factor;
        options.clip = picture->bounds;
        options.background = false;
        paint(inside, *picture, Theme::of(theme), options);
        inside.end();
        return JobRunner::Delivery([this, painted] {
            m_image = painted;
            update();
        });
    });
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(m_theme);
    painter.setPen(theme.pen(Ink::Faint));
    painter.setBrush(theme.ink(Ink::Panel));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (!m_picture)
        return;
    if (std::exchange(m_stale, false))
        paintImage();
    painter.drawImage(0, 0, m_image);
    QRectF view((m_view.topLeft() - m_picture->bounds.topLeft()) * scale() + content().topLeft(),
                m_view.size() * scale());
    view = view.intersected(QRectF(rect()).adjusted(1, 1, -2, -2));
    if (view.width() < kSmallest || view.height() < kSmallest) {
        const QPointF center = view.center();
        view.setSize(view.size().expandedTo(QSizeF(kSmallest, kSmallest)));
        view.moveCenter(center);
    }
    painter.setPen(theme.pen(Ink::Selection, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(view);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (m_picture && event->button() == Qt::LeftButton)
        Q_EMIT lookAt(toScene(event->position()));
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (m_picture && (event->buttons() & Qt::LeftButton))
        Q_EMIT lookAt(toScene(event->position()));
}

} // namespace gb::views
