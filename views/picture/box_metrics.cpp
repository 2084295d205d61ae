#include "picture/box_metrics.h"

#include "picture/shapes.h"

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kPadX = 12;
constexpr double kPadY = 7;
constexpr double kSmallPadY = 4;
constexpr double kMaxWidth = 430;
constexpr double kMinWidth = 76;
constexpr double kRow = 20; ///< height of a label line
constexpr double kStripPad = 4;
constexpr double kSlotNameMax = 150;
constexpr double kColumnGap = 8;
constexpr double kMark = 14; ///< the kind's sign at the left of a label line
constexpr double kSparkRow = 18;
constexpr double kBadgeHeight = 18;
constexpr TextStyle kLabelStyle{FontRole::Label, 1, false};
constexpr TextStyle kBriefStyle{FontRole::Label, 1.25, false};
constexpr TextStyle kBadgeStyle{FontRole::Caption, 1, false};

double sidePad(Form form)
{
    switch (form) {
    case Form::Narrowing:
    case Form::Widening: return kPadX + kSlant;
    case Form::Stadium: return kPadX + 8;
    case Form::Folded: return kPadX + 6;
    case Form::Box: break;
    }
    return kPadX;
}

double badgeWidth(const NodeText& text)
{
    return text.badge.isEmpty() ? 0 : textWidth(text.badge, kBadgeStyle) + 12;
}

bool isFull(const NodeLine& line)
{
    return line.to == Detail::Full && line.from == Detail::Full;
}

struct Columns {
    double slot = 0;     ///< what is measured with: a long name gives way
    double slotFull = 0; ///< what is filled where the box is wide for other reasons
    double spec = 0;
    double brief = 0; ///< of both in the larger text of a short line
};

Columns columnsOf(const NodeText& text)
{
    Columns out;
    for (const LabelLine& label : text.labels) {
        // rounded up: places are sums and differences of it, and a hair less would cut the name
        const double name = std::ceil(textWidth(label.slot + QLatin1Char(':'), kLabelStyle)) + 1;
        out.slotFull = std::max(out.slotFull, name);
        out.slot = std::max(out.slot, std::min(kSlotNameMax, name));
        const double shortName = textWidth(label.slot + QStringLiteral(": "), kBriefStyle);
        out.brief = std::max(out.brief, std::ceil(std::min(kSlotNameMax, shortName) + runGap(kBriefStyle)
                                                  + runsWidth(label.text.brief, kBriefStyle))
                                            + 1);
        out.spec =
            std::max({out.spec, runsWidth(label.text.full, kLabelStyle), runsWidth(label.text.brief, kBriefStyle)});
    }
    return out;
}

/// "x: i8 aff" in the room that there is: the name gives way first.
Runs briefLine(const LabelLine& line, double width)
{
    Runs out = line.text.brief;
    const double room =
        width - runsWidth(out, kBriefStyle) - runGap(kBriefStyle) - textWidth(QStringLiteral(": "), kBriefStyle);
    if (room < textWidth(QStringLiteral("x…"), kBriefStyle))
        return out;
    out.insert(out.begin(), {Glyph::None, elided(line.slot, kBriefStyle, room) + QStringLiteral(": ")});
    return out;
}

TextItem place(const Runs& runs, const TextStyle& style, const QRectF& rect, bool centred)
{
    TextItem item;
    bool cut = false;
    item.runs = elided(runs, style, rect.width(), &cut);
    item.whole = cut ? plainText(runs) : QString();
    item.font = style.role;
    item.scale = style.scale;
    item.italic = style.italic;
    item.centred = centred;
    item.rect = rect;
    return item;
}

void fillTexts(NodeItem& item, const NodeText& text)
{
    const double pad = sidePad(text.form);
    const double width = item.box.width() - 2 * pad;
    double full = 0;
    const double badge = badgeWidth(text);
    if (badge > 0) {
        item.badge = text.badge;
        item.badgeRect = QRectF(item.box.right() - badge - 6, item.box.y() + 6, badge, kBadgeHeight);
    }
    for (const NodeLine& line : text.lines)
        if (isFull(line))
            full += lineHeight(line.style);
    const double spark = text.sparkRow ? kSparkRow : 0;
    double y = item.box.center().y() - (full + spark) / 2;
    for (const NodeLine& line : text.lines) {
        const double height = lineHeight(line.style);
        QRectF rect(item.box.x() + pad, item.box.center().y() - height / 2, width, height);
        if (isFull(line)) {
            rect.moveTop(y);
            y += height;
        }
        // a line stays in the middle where the badge leaves it room
        const double right = item.box.center().x() + runsWidth(line.runs, line.style) / 2;
        const bool badged = badge > 0 && line.to != Detail::Chips; // there it is not shown
        const bool beside = badged && rect.top() < item.badgeRect.bottom() && right + 8 > item.badgeRect.left();
        if (beside)
            rect.setRight(item.badgeRect.left() - 4);
        TextItem placed = place(line.runs, line.style, rect, true);
        // three letters of a constant's name say nothing
        if (text.small && line.to == Detail::Chips && !placed.whole.isEmpty())
            continue;
        if (beside)
            placed.centred = false;
        placed.tone = line.tone;
        placed.from = line.from;
        placed.to = line.to;
        item.texts.push_back(std::move(placed));
    }
    if (text.sparkRow) {
        item.sparkline = text.sparkline;
        item.sparklineRect = QRectF(item.box.center().x() - 48, y + 2, 96, kSparkRow - 4);
    }
}

void fillLabels(NodeItem& item, const NodeText& text)
{
    if (text.labels.empty())
        return;
    const Columns columns = columnsOf(text);
    item.strip = QRectF(item.box.x(), item.box.bottom(), item.box.width(),
                        kRow * static_cast<double>(text.labels.size()) + 2 * kStripPad);
    double y = item.strip.y() + kStripPad;
    const double left = item.strip.x() + kPadX / 2;
    const double right = item.strip.right() - kPadX / 2;
    const double room = right - left - kMark - kColumnGap - columns.spec;
    const double specLeft = left + kMark + std::clamp(room, columns.slot, columns.slotFull) + kColumnGap;
    for (const LabelLine& line : text.labels) {
        LabelItem label;
        label.position = line.position;
        label.kind = line.text.kind;
        label.group = line.group;
        label.rect = QRectF(item.strip.x() + 2, y, item.strip.width() - 4, kRow);
        label.chip = line.text.chip;
        label.chipRect = QRectF(left, y + (kRow - 10) / 2, 10, 10);
        label.tooltip = line.tooltip;
        const auto row = [&](const Runs& runs, const TextStyle& style, double x, double end) {
            const double height = lineHeight(style);
            return place(runs, style, QRectF(x, y + (kRow - height) / 2, end - x, height), false);
        };
        TextItem slot =
            row({{Glyph::None, line.slot + QLatin1Char(':')}}, kLabelStyle, left + kMark, specLeft - kColumnGap);
        slot.tone = Tone::Muted;
        slot.from = Detail::Full;
        TextStyle style = kLabelStyle;
        style.italic = line.text.kind == LabelKind::None;
        TextItem spec = row(line.text.full, style, specLeft, right);
        spec.from = Detail::Full;
        TextItem brief = row(briefLine(line, right - left - kMark), kBriefStyle, left + kMark, right);
        brief.from = brief.to = Detail::Brief;
        for (TextItem* t : {&spec, &brief})
            t->tone = line.text.kind == LabelKind::None     ? Tone::None
                      : line.text.kind == LabelKind::Absent ? Tone::Muted
                                                            : Tone::Normal;
        label.texts = {std::move(slot), std::move(spec), std::move(brief)};
        item.labels.push_back(std::move(label));
        y += kRow;
    }
}

} // namespace

BoxSize measure(const NodeText& text)
{
    BoxSize out;
    double width = 0;
    double height = text.sparkRow ? kSparkRow : 0;
    for (const NodeLine& line : text.lines) {
        if (line.to == Detail::Brief)
            width =
                std::max(width, runsWidth(line.runs, line.style) + (text.badge.isEmpty() ? 0 : badgeWidth(text) + 8));
        if (!isFull(line))
            continue;
        const bool isFirst = &line == text.lines.data();
        width = std::max(width, runsWidth(line.runs, line.style)
                                    + (isFirst && !text.badge.isEmpty() ? badgeWidth(text) + 8 : 0));
        height += lineHeight(line.style);
    }
    width += 2 * sidePad(text.form) + 1;
    height += 2 * (text.small ? kSmallPadY : kPadY);
    if (!text.labels.empty()) {
        const Columns columns = columnsOf(text);
        out.strip = kRow * static_cast<double>(text.labels.size()) + 2 * kStripPad;
        const double columnsWidth = columns.slot + columns.spec + kColumnGap;
        out.stripWidth = std::min(kMaxWidth, std::max(columnsWidth, columns.brief) + kMark + kPadX + 2);
    }
    out.box = QSizeF(std::ceil(std::clamp(width, text.small ? 40.0 : kMinWidth, kMaxWidth)), std::ceil(height));
    return out;
}

void fill(NodeItem& item, const NodeText& text)
{
    item.role = text.role;
    item.form = text.form;
    item.hatched = text.hatched;
    item.dashed = text.dashed;
    item.doubled = text.doubled;
    item.group = text.group;
    item.tooltip = text.tooltip;
    item.accessible = text.accessible;
    fillTexts(item, text);
    fillLabels(item, text);
}

} // namespace gb::views
