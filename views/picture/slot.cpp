#include "picture/slot.h"

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kGapX = 12;
constexpr double kGapY = 16;
constexpr double kSideGap = 22; ///< between the scales and the q/dq that they feed

enum class Row : unsigned char { Side, Upper, Lower };

Row rowOf(const ir::Node& node)
{
    switch (helperKind(node)) {
    case Helper::No: return Row::Side;
    case Helper::Dequantize: return Row::Lower;
    case Helper::Observer:
    case Helper::Quantize: break;
    }
    return Row::Upper;
}

QSizeF sizeOf(const std::vector<SlotMember*>& members, bool column)
{
    QSizeF out(0, 0);
    for (const SlotMember* m : members) {
        const double gap = m == members.front() ? 0 : column ? kGapX / 2 : kGapX;
        if (column)
            out = {std::max(out.width(), m->size.width()), out.height() + m->size.height() + gap};
        else
            out = {out.width() + m->size.width() + gap, std::max(out.height(), m->size.height())};
    }
    return out;
}

void putRow(const std::vector<SlotMember*>& members, double left, double top, double width)
{
    const QSizeF size = sizeOf(members, false);
    double x = left + (width - size.width()) / 2;
    for (SlotMember* m : members) {
        m->rect = QRectF(QPointF(x, top + (size.height() - m->size.height()) / 2), m->size);
        x += m->size.width() + kGapX;
    }
}

} // namespace

QSizeF arrangeSlot(std::vector<SlotMember>& members, QSizeF room)
{
    std::vector<SlotMember*> side;
    std::vector<SlotMember*> upper;
    std::vector<SlotMember*> lower;
    for (SlotMember& m : members) {
        const Row row = rowOf(*m.node);
        (row == Row::Side ? side : row == Row::Upper ? upper : lower).push_back(&m);
    }
    const QSizeF sideSize = sizeOf(side, true);
    const QSizeF upperSize = sizeOf(upper, false);
    const QSizeF lowerSize = sizeOf(lower, false);
    const double mainWidth = std::max(upperSize.width(), lowerSize.width());
    const double mainHeight = upperSize.height() + lowerSize.height() + (upper.empty() || lower.empty() ? 0 : kGapY);
    const double sideWidth = side.empty() ? 0 : sideSize.width() + kSideGap;
    const QSizeF need(sideWidth + mainWidth, std::max(mainHeight, sideSize.height()));
    const QSizeF all = need.expandedTo(room);

    const double left = (all.width() - need.width()) / 2;
    const double mainTop = (all.height() - mainHeight) / 2;
    putRow(upper, left + sideWidth, mainTop, mainWidth);
    putRow(lower, left + sideWidth, mainTop + mainHeight - lowerSize.height(), mainWidth);
    // a lone dequantize is what the scales stand beside
    const double sideMiddle = upper.empty() && !lower.empty() ? mainTop + lowerSize.height() / 2 : all.height() / 2;
    double y = std::clamp(sideMiddle - sideSize.height() / 2, 0.0, std::max(0.0, all.height() - sideSize.height()));
    for (SlotMember* m : side) {
        m->rect = QRectF(QPointF(left + sideSize.width() - m->size.width(), y), m->size);
        y += m->size.height() + kGapX / 2;
    }
    return need;
}

} // namespace gb::views
