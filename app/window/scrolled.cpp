#include "window/scrolled.h"

#include <QScreen>
#include <QScrollArea>

namespace gb::app {
namespace {

constexpr double kShare = 0.9; ///< of the screen: title bar and desktop take the rest

class Area final : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    /// All of the content; QScrollArea itself asks for a few lines only.
    [[nodiscard]] QSize sizeHint() const override { return widget() ? widget()->sizeHint() : QScrollArea::sizeHint(); }
};

} // namespace

QScrollArea* scrolled(QWidget* content, QWidget* parent)
{
    auto* area = new Area(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

void fitOnScreen(QWidget* window)
{
    window->resize(window->size().boundedTo(window->screen()->availableSize() * kShare));
}

} // namespace gb::app
