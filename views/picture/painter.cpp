#include "picture/painter.h"

#include "picture/change_mark.h"
#include "picture/hulls.h"
#include "picture/shapes.h"
#include "theme/perceptual.h"

#include <algorithm>
#include <optional>

namespace gb::views {
namespace {

constexpr double kDimmed = 0.25;
constexpr double kTiny = 10; ///< pixels on the screen below which a box is a block

class PicturePainter {
public:
    PicturePainter(Surface& surface, const Picture& picture, const Theme& theme, const PaintOptions& options)
        : m_surface(surface)
        , m_picture(picture)
        , m_theme(theme)
        , m_options(options)
    {
    }

    void run()
    {
        if (m_options.background) {
            QPainterPath page;
            page.addRect(m_options.clip.isEmpty() ? m_picture.bounds : m_options.clip);
            m_surface.path(page, Qt::NoPen, m_theme.ink(Ink::Page));
        }
        const auto nodes = [&](auto visit) {
            forEach(m_options.nodes, m_picture.nodes.size(), [&](std::size_t i) { visit(m_picture.nodes[i]); });
        };
        findTiny();
        nodes([&](const NodeItem& n) { frame(n); });
        if (m_options.hulls)
            paintHulls(m_surface, *m_options.hulls, m_theme, m_options.clip, m_options.zoom);
        forEach(m_options.edges, m_picture.edges.size(), [&](std::size_t i) { edge(m_picture.edges[i]); });
        m_surface.thinLines(m_thin, dimmed(m_theme.ink(Ink::Edge), m_options.hovered != ir::kNoNode));
        nodes([&](const NodeItem& n) { node(n); });
    }

private:
    template <class Visit>
    static void forEach(const std::vector<std::size_t>* some, std::size_t all, Visit visit)
    {
        if (some)
            std::for_each(some->begin(), some->end(), visit);
        else
            for (std::size_t i = 0; i < all; ++i)
                visit(i);
    }

    [[nodiscard]] bool outside(const QRectF& bounds) const
    {
        return !m_options.clip.isEmpty() && !m_options.clip.intersects(bounds);
    }

    // ---- what is too small to see -----------------------------------------------------------------------------------

    [[nodiscard]] bool onScreen() const { return !m_options.clip.isEmpty(); }

    /// Modules of a few pixels are painted as blocks, without what is in them.
    void findTiny()
    {
        if (!onScreen() || m_options.detail > Detail::Blocks)
            return;
        for (const NodeItem& n : m_picture.nodes) {
            if (n.container == Container::No)
                break; // modules come first, outer ones before inner ones
            const auto group = static_cast<std::size_t>(groupOfId(n.id));
            if (m_tiny.size() <= group)
                m_tiny.resize(group + 1, false);
            m_tiny[group] = isTiny(n.module) || n.box.height() * m_options.zoom < kTiny;
        }
    }
    [[nodiscard]] bool isTiny(int module) const
    {
        return static_cast<std::size_t>(module) < m_tiny.size() && m_tiny[static_cast<std::size_t>(module)];
    }

    // ---- edges ------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool lit(const EdgeItem& e) const
    {
        const auto is = [&](ir::NodeId id) { return id != ir::kNoNode && (e.from == id || e.to == id); };
        return is(m_options.hovered) || is(m_options.selected);
    }

    [[nodiscard]] bool faded(ir::NodeId id) const { return m_options.lit && !m_options.lit->contains(id); }

    [[nodiscard]] QColor dimmed(QColor colour, bool dim) const
    {
        if (dim)
            colour.setAlphaF(static_cast<float>(colour.alphaF() * kDimmed));
        return colour;
    }

    [[nodiscard]] bool isLeftOut(ir::NodeId id) const { return m_options.without && m_options.without->contains(id); }

    void edge(const EdgeItem& e)
    {
        if (e.curve.size() < 4 || outside(e.bounds) || isTiny(e.module) || isLeftOut(e.from) || isLeftOut(e.to))
            return;
        const bool on = lit(e);
        if (onScreen() && m_options.detail == Detail::Blocks && !on && !faded(e.from) && !faded(e.to)) {
            thin(e);
            return;
        }
        const bool dim = faded(e.from) || faded(e.to) || (m_options.hovered != ir::kNoNode && !on);
        const QColor colour = dimmed(m_theme.ink(on ? Ink::EdgeLit : Ink::Edge), dim);
        const double thin = std::max(m_theme.borderWidth(), 1.0 / m_options.zoom);
        QPen pen(colour, on ? thin * 1.8 : thin * 1.15);
        pen.setCapStyle(Qt::FlatCap);
        const QPainterPath path = curvePath(visible(e.curve));
        const bool styled = !e.plain && m_options.detail >= Detail::Chips;
        if (styled && e.kind == LabelKind::Shared) {
            // two lines: it has no observer of its own
            pen.setWidthF(pen.widthF() * 3.2);
            m_surface.path(path, pen, Qt::NoBrush);
            pen.setColor(m_theme.ink(Ink::Page));
            pen.setWidthF(pen.widthF() * 0.42);
        } else if (styled && e.kind == LabelKind::None) {
            pen.setDashPattern({6, 4});
        } else if (styled && e.kind == LabelKind::Absent) {
            pen.setDashPattern({1.5, 3});
        } else if (styled && e.kind == LabelKind::NotRecorded) {
            pen.setDashPattern({8, 3, 1.5, 3});
        } else if (styled) {
            pen.setWidthF(pen.widthF() * 1.3);
        }
        m_surface.path(path, pen, Qt::NoBrush);
        arrow(e, colour);
    }

    [[nodiscard]] std::vector<QPointF> visible(const std::vector<QPointF>& curve) const
    {
        return onScreen() ? cutTo(curve, m_options.clip, 40 / m_options.zoom) : curve;
    }

    void thin(const EdgeItem& e)
    {
        if (std::max(e.bounds.width(), e.bounds.height()) * m_options.zoom >= 1)
            flatten(e.curve, m_options.clip, 6 / m_options.zoom, m_thin);
    }

    void arrow(const EdgeItem& e, const QColor& colour)
    {
        if (m_options.detail < Detail::Chips)
            return;
        const QPointF tip = e.curve.back();
        if (onScreen() && !m_options.clip.adjusted(-20, -20, 20, 20).contains(tip))
            return;
        const QPointF along = e.intoSide ? QPointF(1, 0) : QPointF(0, 1);
        const QPointF across(along.y(), along.x());
        m_surface.path(polygon({tip, tip - along * 7.5 + across * 3.6, tip - along * 7.5 - across * 3.6}), Qt::NoPen,
                       colour);
    }

    // ---- modules ----------------------------------------------------------------------------------------------------

    /// An open module lies below the lines, each one a shade away from the one around it.
    void frame(const NodeItem& n)
    {
        if (n.container != Container::Open || isTiny(n.module) || outside(n.box.adjusted(-6, -6, 6, 6)))
            return;
        if (isTiny(groupOfId(n.id))) {
            m_surface.block(n.box, m_theme.border(NodeRole::Op), m_theme.fill(NodeRole::Op));
            return;
        }
        m_surface.beginGroup(n.name, n.accessible);
        QPainterPath path;
        path.addRoundedRect(n.box, 6, 6);
        QPen pen(m_theme.border(NodeRole::Op), std::max(m_theme.borderWidth() * 0.8, 1.0 / m_options.zoom));
        m_surface.path(path, pen, m_theme.frame(n.depth));
        m_surface.endGroup();
    }

    void title(const NodeItem& n)
    {
        // of a frame that begins outside of the screen, the title stays inside of it
        const double hidden = onScreen() ? std::max(0.0, m_options.clip.left() - n.strip.left()) : 0;
        for (TextItem t : n.texts) {
            const double room = std::max(0.0, n.strip.width() - runsWidth(t.runs, {t.font, t.scale, t.italic}) - 30);
            t.rect.translate(std::min(hidden, room), 0);
            text(t, m_theme.ink(Ink::Text), m_theme.frame(n.depth));
        }
        marks(n);
    }

    /// A second sheet behind the box: there is more in it.
    void sheets(const NodeItem& n)
    {
        QPen pen = m_theme.borderPen(n.role);
        pen.setWidthF(std::max(m_theme.borderWidth(), 1.0 / m_options.zoom));
        for (const double offset : {6.0, 3.0})
            m_surface.path(
                polygon({n.box.topLeft() + QPointF(offset, -offset), n.box.topRight() + QPointF(offset, -offset),
                         n.box.bottomRight() + QPointF(offset, -offset),
                         n.box.bottomLeft() + QPointF(offset, -offset)}),
                pen, m_theme.frame(n.depth));
    }

    // ---- nodes ------------------------------------------------------------------------------------------------------

    void node(const NodeItem& n)
    {
        if (n.container == Container::Open) {
            if (!outside(n.strip) && !isTiny(n.module))
                title(n);
            return;
        }
        if (isTiny(n.module) || isLeftOut(n.id))
            return;
        if (onScreen() && n.area().height() * m_options.zoom < kTiny && !n.ghost) {
            if (!outside(n.area()))
                m_surface.block(n.area(), m_theme.border(n.role), m_theme.fill(n.role));
            marks(n);
            return;
        }
        if (outside(n.area().adjusted(-6, -6, 6, 6)))
            return;
        m_surface.beginGroup(n.name, n.accessible);
        if (n.container == Container::Folded)
            sheets(n);
        if (n.ghost)
            ghost(n);
        else
            body(n);
        if (faded(n.id)) {
            QColor veil = m_theme.ink(Ink::Page);
            veil.setAlphaF(0.8F);
            QPainterPath over;
            over.addRect(n.area().adjusted(-2, -8, 8, 2));
            m_surface.path(over, Qt::NoPen, veil);
        }
        marks(n);
        m_surface.endGroup();
    }

    void ghost(const NodeItem& n)
    {
        QPen pen = m_theme.pen(Ink::Faint, m_theme.borderWidth());
        pen.setDashPattern({3, 4});
        m_surface.path(outline(n.form, n.box), pen, Qt::NoBrush);
        const bool roomy = n.box.height() > 40; // else the name alone, from close by
        for (const TextItem& t : n.texts)
            if (roomy || (&t == n.texts.data() && t.from >= Detail::Full))
                text(t, m_theme.ink(Ink::Muted), m_theme.ink(Ink::Page)); // the line that goes on leads through it
    }

    void body(const NodeItem& n)
    {
        const double line = std::max(m_theme.borderWidth(), 1.0 / m_options.zoom);
        QPen pen = m_theme.borderPen(n.role);
        pen.setWidthF(line);
        if (n.dashed)
            pen.setDashPattern({4, 3});
        strip(n, line);
        const QPainterPath shape = outline(n.form, n.box);
        m_surface.path(shape, Qt::NoPen, m_theme.fill(n.role));
        if (n.hatched && m_options.detail > Detail::Blocks) {
            QColor stripes = m_theme.border(n.role);
            stripes.setAlphaF(0.28F);
            m_surface.path(hatch(n.box), QPen(stripes, 1), Qt::NoBrush);
        }
        m_surface.path(shape, pen, Qt::NoBrush);
        if (n.doubled)
            m_surface.path(outline(n.form, n.box.adjusted(3, 3, -3, -3)), QPen(m_theme.border(n.role), line * 0.7),
                           Qt::NoBrush);
        if (n.form == Form::Folded) {
            const QRectF& b = n.box;
            m_surface.path(
                polygon(
                    {{b.right() - kFold, b.top()}, {b.right() - kFold, b.top() + kFold}, {b.right(), b.top() + kFold}}),
                pen, m_theme.ink(Ink::Page));
        }
        if (m_options.detail >= Detail::Full)
            spark(n);
        for (const TextItem& t : n.texts)
            text(t, toneColour(t.tone, n.role), n.hatched ? std::optional(m_theme.fill(n.role)) : std::nullopt);
        overlay(n);
        badge(n);
    }

    /// A bar along the left side, in the overlay's colour and with its outline: the role's colour stays.
    void overlay(const NodeItem& n)
    {
        if (!n.overlay)
            return;
        const double width = std::max(7.0, 3 / m_options.zoom);
        const QRectF bar(n.box.left() - width, n.box.top(), width, n.area().height());
        QPainterPath path;
        path.addRect(bar);
        m_surface.path(path, QPen(m_theme.border(n.role), m_theme.borderWidth() * 0.6), perceptual(*n.overlay));
        if (m_options.detail < Detail::Brief)
            return;
        // above the box: beside it may stand another one; as large on the screen as at 85 %
        const TextStyle style{FontRole::Caption, std::clamp(0.85 / m_options.zoom, 1.0, 1.45), false};
        m_surface.text({bar.left(), n.box.top() - 3}, n.overlayText, style, m_theme.ink(Ink::Muted));
    }

    void strip(const NodeItem& n, double line)
    {
        if (n.strip.isEmpty())
            return;
        QPainterPath back;
        back.addRect(n.strip);
        m_surface.path(back, QPen(m_theme.border(n.role == NodeRole::NotAnnotated ? NodeRole::Op : n.role), line * 0.7),
                       m_theme.ink(Ink::LabelStrip));
        for (const LabelItem& label : n.labels)
            labelRow(label);
    }

    void labelRow(const LabelItem& label)
    {
        if (m_options.detail == Detail::Blocks)
            return;
        const bool grouped = label.group.number >= 0 && label.group.size > 1;
        if (grouped || label.kind == LabelKind::Shared) {
            QPainterPath tint;
            tint.addRect(label.rect);
            m_surface.path(tint, Qt::NoPen, m_theme.groupTint(label.group.number));
        }
        const bool inGroup = m_options.selectedGroup >= 0 && label.group.number == m_options.selectedGroup;
        if (inGroup || (m_options.selectedLabel.node != ir::kNoNode && m_options.selectedLabel == label.position)) {
            QPainterPath ring;
            ring.addRect(label.rect.adjusted(1, 1, -1, -1));
            m_surface.path(ring, m_theme.pen(Ink::Selection, 2), Qt::NoBrush);
        }
        chip(label);
        for (const TextItem& t : label.texts)
            text(t, toneColour(t.tone, NodeRole::Op));
    }

    /// The kind's sign: full for a label with an observer of its own, hollow for None, a dash for none.
    void chip(const LabelItem& label)
    {
        QRectF box = label.chipRect;
        if (m_options.detail == Detail::Chips)
            box.adjust(-2, -2, 8, 2);
        QPainterPath shape;
        shape.addRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2);
        const QColor green = m_theme.border(NodeRole::Observer);
        const QColor grey = m_theme.ink(Ink::Muted);
        switch (label.kind) {
        case LabelKind::Quantization: m_surface.path(shape, QPen(green, 1), green); break;
        case LabelKind::Shared: m_surface.path(glyphPath(Glyph::Chain, box), Qt::NoPen, m_theme.ink(Ink::Text)); break;
        case LabelKind::Fixed: m_surface.path(glyphPath(Glyph::Lock, box), Qt::NoPen, green); break;
        case LabelKind::Derived: m_surface.path(shape, QPen(green, 1.4), Qt::NoBrush); break;
        case LabelKind::None: m_surface.path(glyphPath(Glyph::Bar, box), Qt::NoPen, grey); break;
        case LabelKind::Absent:
        case LabelKind::NotRecorded: {
            QPainterPath dash;
            dash.moveTo(box.left() + 1, box.center().y());
            dash.lineTo(box.right() - 1, box.center().y());
            QPen pen(grey, 1.4);
            pen.setDashPattern({1.5, 1.8});
            m_surface.path(dash, pen, Qt::NoBrush);
            break;
        }
        }
    }

    void spark(const NodeItem& n)
    {
        if (n.sparkline.empty())
            return;
        QPainterPath bars;
        const double step = n.sparklineRect.width() / static_cast<double>(n.sparkline.size());
        for (std::size_t i = 0; i < n.sparkline.size(); ++i) {
            const double height = n.sparklineRect.height() * n.sparkline[i];
            if (height > 0)
                bars.addRect(QRectF(n.sparklineRect.x() + step * static_cast<double>(i),
                                    n.sparklineRect.bottom() - height, step * 0.85, height));
        }
        m_surface.path(bars, Qt::NoPen, m_theme.text(n.role));
    }

    void badge(const NodeItem& n)
    {
        if (n.badge.isEmpty() || m_options.detail == Detail::Chips)
            return;
        QPainterPath shape;
        shape.addRoundedRect(n.badgeRect, n.badgeRect.height() / 2, n.badgeRect.height() / 2);
        m_surface.path(shape, QPen(m_theme.border(n.role), 1.2), m_theme.ink(Ink::Page));
        const TextStyle style{FontRole::Caption, 1, false};
        const QPointF at(n.badgeRect.center().x() - textWidth(n.badge, style) / 2,
                         n.badgeRect.center().y() - lineHeight(style) / 2 + ascent(style));
        m_surface.text(at, n.badge, style, m_theme.ink(Ink::Warning));
    }

    /// What the event touched, what is selected, where the keyboard is: frames around the whole, one outside the other.
    void marks(const NodeItem& n)
    {
        const double px = 1.0 / std::min(1.0, m_options.zoom);
        const auto frame = [&](double distance, const QPen& pen) {
            QPainterPath path;
            path.addRoundedRect(n.reach().adjusted(-distance, -distance, distance, distance), 4, 4);
            m_surface.path(path, pen, Qt::NoBrush);
        };
        if (n.fresh) {
            frame(4 * px, m_theme.pen(Ink::Touched, 2.2 * px));
            const QPointF corner = n.area().topLeft() + QPointF(-4, -4) * px;
            m_surface.path(polygon({corner, corner + QPointF(13, 0) * px, corner + QPointF(0, 13) * px}), Qt::NoPen,
                           m_theme.ink(Ink::Touched));
        }
        const bool marked = m_options.marked && m_options.marked->contains(n.id);
        const bool inGroup = m_options.selectedGroup >= 0 && n.group == m_options.selectedGroup;
        if (marked || inGroup || (n.id == m_options.selected && m_options.selected != ir::kNoNode))
            frame(7 * px, m_theme.pen(Ink::Selection, 2.4 * px));
        paintChange(m_surface, n, m_theme, px);
        if (n.id == m_options.focused && m_options.focused != ir::kNoNode) {
            QPen pen = m_theme.pen(Ink::Focus, 2 * px);
            pen.setDashPattern({2, 2});
            frame(11 * px, pen);
        }
    }

    // ---- text -------------------------------------------------------------------------------------------------------

    [[nodiscard]] QColor toneColour(Tone tone, NodeRole role) const
    {
        switch (tone) {
        case Tone::Muted: return m_theme.mutedText(role);
        case Tone::None: return m_theme.ink(Ink::NoneText);
        case Tone::Warning: return m_theme.ink(Ink::Warning);
        case Tone::Normal: break;
        }
        return m_theme.text(role);
    }

    void text(const TextItem& item, const QColor& colour, std::optional<QColor> back = std::nullopt)
    {
        if (m_options.detail < item.from || m_options.detail > item.to)
            return;
        const TextStyle style{item.font, item.scale, item.italic};
        const double width = runsWidth(item.runs, style);
        double x = item.centred ? item.rect.center().x() - width / 2 : item.rect.x();
        if (back) {
            // hatching and lines behind text make it hard to read
            QPainterPath plate;
            plate.addRect(QRectF(x - 2, item.rect.y(), width + 4, item.rect.height()));
            m_surface.path(plate, Qt::NoPen, *back);
        }
        const double baseline = item.rect.center().y() - lineHeight(style) / 2 + ascent(style);
        const double glyph = glyphSize(style);
        for (std::size_t i = 0; i < item.runs.size(); ++i) {
            const Run& run = item.runs[i];
            if (i > 0)
                x += item.runs[i - 1].glyph == Glyph::None ? runGap(style) : runGap(style) * 0.5;
            if (run.glyph == Glyph::None) {
                m_surface.text({x, baseline}, run.text, style, colour);
                x += textWidth(run.text, style);
            } else {
                const QRectF box(x, item.rect.center().y() - glyph / 2, glyph, glyph);
                m_surface.path(glyphPath(run.glyph, box), Qt::NoPen, colour);
                x += glyph;
            }
        }
    }

    Surface& m_surface;
    const Picture& m_picture;
    const Theme& m_theme;
    const PaintOptions& m_options;
    std::vector<bool> m_tiny; ///< of each group
    QList<QLineF> m_thin;
};

} // namespace

Detail detailAt(double zoom)
{
    // a hair of tolerance: 100 % reached by steps counts as 100 %
    if (zoom >= 0.995)
        return Detail::Full;
    return zoom >= 0.6 ? Detail::Brief : zoom >= 0.35 ? Detail::Chips : Detail::Blocks;
}

void paint(Surface& surface, const Picture& picture, const Theme& theme, const PaintOptions& options)
{
    PicturePainter(surface, picture, theme, options).run();
}

void paint(QPainter& painter, const Picture& picture, const Theme& theme, const PaintOptions& options)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    QPainterSurface surface(&painter);
    paint(surface, picture, theme, options);
}

} // namespace gb::views
