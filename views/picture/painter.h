// The one painter: a Picture onto a Surface, for screen, SVG, PDF and PNG alike.
//
// Thread: the surface's.
#pragma once

#include "picture/picture.h"
#include "picture/text_measure.h"

#include <QPainter>
#include <QPainterPath>

#include <unordered_set>

namespace gb::views {

/// What paint draws with. Two exist: QPainterSurface (screen, PDF, PNG) and the SVG writer (export/svg_surface.h).
class Surface {
public:
    virtual ~Surface() = default;
    /// A named part; `id` is a node's name. Groups do not nest.
    virtual void beginGroup(const QString& id, const QString& title) = 0;
    virtual void endGroup() = 0;
    /// What follows, until pop(), is scaled and then moved. May nest.
    virtual void push(double scale, QPointF offset) = 0;
    virtual void pop() = 0;
    /// Fills where brush has a style, strokes where pen has one.
    virtual void path(const QPainterPath& path, const QPen& pen, const QBrush& brush) = 0;
    /// A box of a few pixels, and thin lines, where a screen shows thousands of them: fast before fine.
    virtual void block(const QRectF& box, const QColor& border, const QColor& fill);
    virtual void thinLines(const QList<QLineF>& lines, const QColor& colour);
    /// `baseline` is where the first character stands.
    virtual void text(QPointF baseline, const QString& text, const TextStyle& style, const QColor& colour) = 0;
};

class QPainterSurface final : public Surface {
public:
    explicit QPainterSurface(QPainter* painter)
        : m_painter(painter)
    {
    }
    void beginGroup(const QString&, const QString&) override {}
    void endGroup() override {}
    void push(double scale, QPointF offset) override;
    void pop() override;
    void path(const QPainterPath& path, const QPen& pen, const QBrush& brush) override;
    void block(const QRectF& box, const QColor& border, const QColor& fill) override;
    void thinLines(const QList<QLineF>& lines, const QColor& colour) override;
    void text(QPointF baseline, const QString& text, const TextStyle& style, const QColor& colour) override;

private:
    QPainter* m_painter;
};

/// How a picture is painted.
struct Hull;

struct PaintOptions {
    Detail detail = Detail::Full;
    QRectF clip;     ///< only what touches this, and what is too small to see at `zoom` in short; empty: everything
    double zoom = 1; ///< lines get no thinner than a pixel of it
    bool background = true;
    ir::NodeId hovered = ir::kNoNode; ///< its edges lit, the rest at 25 %
    ir::NodeId selected = ir::kNoNode;
    ir::Position selectedLabel;                              ///< node is kNoNode where none is
    ir::NodeId focused = ir::kNoNode;                        ///< keyboard focus ring
    const std::unordered_set<ir::NodeId>* marked = nullptr;  ///< framed as selected ones are
    const std::unordered_set<ir::NodeId>* without = nullptr; ///< not painted, nor the lines to them
    int selectedGroup = -1;                                  ///< sharing group: its labels and observers are framed
    const std::unordered_set<ir::NodeId>* lit = nullptr;     ///< where given, all others are faded
    /// Indices to paint; empty: all that touch `clip`. The canvas passes what its grid finds.
    const std::vector<std::size_t>* nodes = nullptr;
    const std::vector<std::size_t>* edges = nullptr;
    const std::vector<Hull>* hulls = nullptr; ///< sharing groups, above the modules' frames and below all else
};

void paint(Surface& surface, const Picture& picture, const Theme& theme, const PaintOptions& options = {});
/// On a QPainter, in the painter's coordinates.
void paint(QPainter& painter, const Picture& picture, const Theme& theme, const PaintOptions& options = {});

/// A glyph in a box of this size.
QPainterPath glyphPath(Glyph glyph, const QRectF& box);

} // namespace gb::views
