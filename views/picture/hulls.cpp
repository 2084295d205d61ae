#include "picture/hulls.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace gb::views {
namespace {

constexpr double kPadding = 7; ///< around a member
constexpr double kBand = 16;   ///< width of what joins two members
constexpr double kRound = 9;   ///< radius of the corners
/// Uniting shapes costs more than linearly: above this a hull is filled without its outline being made one.
constexpr std::size_t kMostUnited = 40;
constexpr double kLargestText = 3; ///< times its size, where the graph is small on the screen

QString nameOf(const Hull& hull)
{
    return QCoreApplication::translate("hulls", "group %1").arg(hull.group);
}

/// Beside a member there is room: boxes and lines stand above and below.
QPointF nameAt(const Hull& hull, const TextStyle& style)
{
    const QRectF& first = hull.members.front();
    return {first.right() + kPadding + 4, first.center().y() + ascent(style) / 2};
}

/// The places of a group's members: its labels, and its observers.
std::map<int, std::vector<QRectF>> placesOf(const Picture& picture)
{
    std::map<int, std::vector<QRectF>> out;
    for (const NodeItem& node : picture.nodes) {
        if (node.ghost)
            continue;
        if (node.group >= 0)
            out[node.group].push_back(node.box);
        for (const LabelItem& label : node.labels)
            if (label.group.number >= 0 && label.group.size > 1)
                out[label.group.number].push_back(label.rect);
    }
    return out;
}

double distance(const QRectF& a, const QRectF& b)
{
    return std::hypot(a.center().x() - b.center().x(), a.center().y() - b.center().y());
}

/// The edges of a shortest tree over the members (Prim's).
std::vector<std::pair<std::size_t, std::size_t>> treeOver(const std::vector<QRectF>& members)
{
    std::vector<std::pair<std::size_t, std::size_t>> out;
    std::vector<std::size_t> nearest(members.size(), 0);
    std::vector<bool> in(members.size(), false);
    in[0] = true;
    for (std::size_t added = 1; added < members.size(); ++added) {
        std::size_t best = members.size();
        for (std::size_t i = 1; i < members.size(); ++i)
            if (!in[i]
                && (best == members.size()
                    || distance(members[i], members[nearest[i]]) < distance(members[best], members[nearest[best]])))
                best = i;
        in[best] = true;
        out.emplace_back(nearest[best], best);
        for (std::size_t i = 1; i < members.size(); ++i)
            if (!in[i] && distance(members[i], members[best]) < distance(members[i], members[nearest[i]]))
                nearest[i] = best;
    }
    return out;
}

QPainterPath outlineOf(const std::vector<QRectF>& members)
{
    QPainterPath out;
    out.setFillRule(Qt::WindingFill);
    QPainterPathStroker band;
    band.setWidth(kBand);
    band.setCapStyle(Qt::RoundCap);
    for (const auto& [a, b] : treeOver(members)) {
        QPainterPath line(members[a].center());
        line.lineTo(members[b].center());
        out.addPath(band.createStroke(line));
    }
    for (const QRectF& member : members)
        out.addRoundedRect(member.adjusted(-kPadding, -kPadding, kPadding, kPadding), kRound, kRound);
    return members.size() <= kMostUnited ? out.simplified() : out;
}

} // namespace

std::vector<Hull> hullsOf(const Picture& picture)
{
    std::vector<Hull> out;
    for (auto& [group, members] : placesOf(picture)) {
        if (members.size() < 2)
            continue;
        Hull hull;
        hull.group = group;
        hull.outline = outlineOf(members);
        hull.members = std::move(members);
        const TextStyle style{FontRole::Label};
        const QPointF name = nameAt(hull, style);
        hull.bounds = hull.outline.boundingRect()
                      | QRectF(name.x(), name.y() - ascent(style), textWidth(nameOf(hull), style), lineHeight(style));
        out.push_back(std::move(hull));
    }
    return out;
}

void paintHulls(Surface& surface, const std::vector<Hull>& hulls, const Theme& theme, const QRectF& clip, double zoom)
{
    const TextStyle style{FontRole::Label, std::clamp(0.8 / zoom, 1.0, kLargestText)};
    for (const Hull& hull : hulls) {
        if (!clip.isEmpty()
            && !clip.adjusted(-200, -20, 0, 20).intersects(hull.bounds)) // a larger name reaches further
            continue;
        const QColor tint = theme.groupTint(hull.group);
        QColor fill = tint;
        fill.setAlphaF(0.45F);
        const bool united = hull.members.size() <= kMostUnited;
        QPen pen(theme.isDark() ? tint.lighter(170) : tint.darker(170), std::max(1.5, 1.0 / zoom), Qt::DashLine);
        surface.path(hull.outline, united ? pen : QPen(Qt::NoPen), fill);
        surface.text(nameAt(hull, style), nameOf(hull), style, theme.ink(Ink::Muted));
    }
}

} // namespace gb::views
