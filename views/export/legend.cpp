#include "export/legend.h"

#include "picture/shapes.h"
#include "theme/perceptual.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace gb::views {
namespace {

constexpr double kRow = 26;
constexpr double kSwatch = 26;
constexpr double kGap = 8;
constexpr double kEntryGap = 24;
constexpr double kBar = 120; ///< of a colour bar
constexpr TextStyle kStyle{FontRole::NodeText, 1, false};

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::legend", text);
}

struct Entry {
    QString text;
    double swatch = kSwatch;
    std::function<void(Surface&, const Theme&, const QRectF&)> draw;
    [[nodiscard]] double width() const { return swatch + kGap + textWidth(text, kStyle) + kEntryGap; }
};

Entry role(NodeRole role, Form form, const QString& text)
{
    const bool slanted = form == Form::Narrowing || form == Form::Widening; // needs room for its form
    return {text, slanted ? 2 * kSwatch : kSwatch,
            [role, form](Surface& surface, const Theme& theme, const QRectF& box) {
                surface.path(outline(form, box.adjusted(0, 3, 0, -3)), theme.borderPen(role), theme.fill(role));
            }};
}

Entry line(const QList<qreal>& dashes, double width, const QString& text)
{
    return {text, kSwatch, [dashes, width](Surface& surface, const Theme& theme, const QRectF& box) {
                QPainterPath path;
                path.moveTo(box.left(), box.center().y());
                path.lineTo(box.right(), box.center().y());
                QPen pen = theme.pen(Ink::Edge, width);
                if (!dashes.isEmpty())
                    pen.setDashPattern(dashes);
                surface.path(path, pen, Qt::NoBrush);
            }};
}

/// As the painter draws an edge that has no observer of its own.
Entry twoLines(const QString& text)
{
    return {text, kSwatch, [](Surface& surface, const Theme& theme, const QRectF& box) {
                for (const double away : {-1.6, 1.6}) {
                    QPainterPath path;
                    path.moveTo(box.left(), box.center().y() + away);
                    path.lineTo(box.right(), box.center().y() + away);
                    surface.path(path, theme.pen(Ink::Edge, 1.2), Qt::NoBrush);
                }
            }};
}

Entry bar(const OverlayPtr& overlay)
{
    if (overlay->values.empty())
        return {
            QStringLiteral("%1: %2").arg(overlay->title, overlay->absent.isEmpty() ? tr("no values") : overlay->absent),
            0, [](Surface&, const Theme&, const QRectF&) {}};
    const QString text = QStringLiteral("%1: %2 … %3%4")
                             .arg(overlay->title, overlay->text(overlay->low), overlay->text(overlay->high),
                                  overlay->logarithmic ? tr(" (logarithmic)") : QString());
    return {text, kBar, [](Surface& surface, const Theme& theme, const QRectF& box) {
                constexpr int kSteps = 40;
                for (int i = 0; i < kSteps; ++i) {
                    QPainterPath step;
                    step.addRect(QRectF(box.left() + box.width() * i / kSteps, box.top() + 4,
                                        box.width() / kSteps + 0.5, box.height() - 8));
                    surface.path(step, Qt::NoPen, perceptual((i + 0.5) / kSteps));
                }
                QPainterPath frame;
                frame.addRect(box.adjusted(0, 4, 0, -4));
                surface.path(frame, theme.pen(Ink::Muted), Qt::NoBrush);
            }};
}

std::vector<Entry> entriesOf(const std::vector<PicturePtr>& pictures)
{
    std::vector<Entry> out;
    const auto has = [&](NodeRole wanted) {
        return std::any_of(pictures.begin(), pictures.end(), [wanted](const PicturePtr& picture) {
            return std::any_of(picture->nodes.begin(), picture->nodes.end(), [wanted](const NodeItem& n) {
                return n.role == wanted && !n.ghost && n.container == Container::No;
            });
        });
    };
    const auto hasLine = [&](LabelKind kind) {
        return std::any_of(pictures.begin(), pictures.end(), [kind](const PicturePtr& picture) {
            return std::any_of(picture->edges.begin(), picture->edges.end(),
                               [kind](const EdgeItem& e) { return !e.plain && e.kind == kind; });
        });
    };
    if (has(NodeRole::Observer))
        out.push_back(role(NodeRole::Observer, Form::Stadium, tr("observer")));
    if (has(NodeRole::Quantize))
        out.push_back(role(NodeRole::Quantize, Form::Narrowing, tr("quantize")));
    if (has(NodeRole::Dequantize))
        out.push_back(role(NodeRole::Dequantize, Form::Widening, tr("dequantize")));
    if (has(NodeRole::Weight))
        out.push_back(role(NodeRole::Weight, Form::Folded, tr("weight, constant")));
    if (has(NodeRole::NotAnnotated))
        out.push_back(role(NodeRole::NotAnnotated, Form::Box, tr("not annotated")));
    if (hasLine(LabelKind::Quantization))
        out.push_back(line({}, 1.8, tr("quantized")));
    if (hasLine(LabelKind::Shared))
        out.push_back(twoLines(tr("shares another's observer")));
    if (hasLine(LabelKind::None))
        out.push_back(line({6, 4}, 1.4, tr("None: named, not quantized")));
    if (hasLine(LabelKind::Absent))
        out.push_back(line({1.5, 3}, 1.4, tr("no label")));
    for (const PicturePtr& picture : pictures)
        if (picture->overlay) {
            out.push_back(bar(picture->overlay));
            break;
        }
    return out;
}

/// Calls `visit(entry, x, row)`; returns the number of rows.
int flow(const std::vector<Entry>& entries, double width, const std::function<void(const Entry&, double, int)>& visit)
{
    double x = 0;
    int row = 0;
    for (const Entry& entry : entries) {
        if (x > 0 && x + entry.width() > width) {
            x = 0;
            ++row;
        }
        visit(entry, x, row);
        x += entry.width();
    }
    return entries.empty() ? 0 : row + 1;
}

} // namespace

double legendHeight(const std::vector<PicturePtr>& pictures, double width)
{
    const int rows = flow(entriesOf(pictures), width, [](const Entry&, double, int) {});
    return rows == 0 ? 0 : rows * kRow + 10;
}

void paintLegend(Surface& surface, const std::vector<PicturePtr>& pictures, const Theme& theme, QPointF topLeft,
                 double width)
{
    flow(entriesOf(pictures), width, [&](const Entry& entry, double x, int row) {
        const QRectF box(topLeft.x() + x, topLeft.y() + row * kRow + 3, entry.swatch, kRow - 6);
        entry.draw(surface, theme, box);
        surface.text({box.right() + kGap, box.center().y() - lineHeight(kStyle) / 2 + ascent(kStyle)}, entry.text,
                     kStyle, theme.ink(Ink::Text));
    });
}

} // namespace gb::views
