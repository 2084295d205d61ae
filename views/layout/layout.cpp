#include "layout/layout.h"

#include "base/message.h"
#include "layout/engines.h"
#include "layout/ports.h"
#include "layout/ranks.h"

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

base::Status check(const LayoutInput& input)
{
    for (std::size_t i = 0; i < input.boxes.size(); ++i) {
        const LayoutBox& box = input.boxes[i];
        if (!(box.width >= 1 && box.height >= 1 && box.width < 1e9 && box.height < 1e9))
            return Error{ErrorCode::Usage,
                         say("size {0} x {1}, 1 to 1,000,000,000 pixels expected", box.width, box.height),
                         say("box {0}", i)};
    }
    const auto count = static_cast<int>(input.boxes.size());
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        const LayoutEdge& edge = input.edges[i];
        if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count)
            return Error{ErrorCode::Usage, say("joins boxes {0} and {1} of {2}", edge.from, edge.to, count),
                         say("edge {0}", i)};
        const auto widthOf = [&](int box) { return input.boxes[static_cast<std::size_t>(box)].width; };
        if (!(std::abs(edge.fromX) <= widthOf(edge.from) / 2 && std::abs(edge.toX) <= widthOf(edge.to) / 2))
            return Error{ErrorCode::Usage, "ends beside its boxes, an end inside expected", say("edge {0}", i)};
    }
    return {};
}

/// Straight down inside a band, an S between bands: no line touches a box that it does not end at.
Curve route(const Placement& placed, const LayoutEdge& edge, const std::vector<double>& crossings)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const Rect& from = placed.boxes[at(edge.from)];
    const Rect& to = placed.boxes[at(edge.to)];
    const int first = placed.bandOf[at(edge.from)];
    const int last = placed.bandOf[at(edge.to)];
    const double fromX = from.center().x + edge.fromX;
    const double toX = to.center().x + edge.toX;
    std::vector<Point> through{{fromX, from.bottom()}};
    if (first < last) {
        through.push_back({fromX, placed.bands[at(first)].bottom});
        for (std::size_t i = 0; i < crossings.size(); ++i) {
            const Band& band = placed.bands[at(first) + 1 + i];
            through.push_back({crossings[i], band.top});
            through.push_back({crossings[i], band.bottom});
        }
        through.push_back({toX, placed.bands[at(last)].top});
    }
    through.push_back({toX, to.y});
    return smooth(through);
}

/// Boxes that no line joins, in rows of about the same width.
LayoutResult pack(const LayoutInput& input)
{
    double area = 0;
    double widest = 0;
    for (const LayoutBox& box : input.boxes) {
        area += (box.width + input.boxGap) * (box.height + input.rankGap / 2);
        widest = std::max(widest, box.width);
    }
    const double room = std::max(widest, 1.6 * std::sqrt(area));
    LayoutResult out;
    double x = 0;
    double y = 0;
    double row = 0;
    for (const LayoutBox& box : input.boxes) {
        if (x > 0 && x + box.width > room) {
            x = 0;
            y += row + input.rankGap / 2;
            row = 0;
        }
        out.boxes.push_back({x, y, box.width, box.height});
        row = std::max(row, box.height);
        out.width = std::max(out.width, x + box.width);
        x += box.width + input.boxGap;
    }
    out.height = y + row;
    return out;
}

LayoutResult finish(Placement placed, const LayoutInput& input)
{
    LayoutResult out;
    double left = 0;
    double top = 0;
    for (const Rect& box : placed.boxes) {
        left = &box == placed.boxes.data() ? box.x : std::min(left, box.x);
        top = &box == placed.boxes.data() ? box.y : std::min(top, box.y);
    }
    for (const auto& edge : placed.crossings)
        for (const double x : edge)
            left = std::min(left, x);
    for (Rect& box : placed.boxes) {
        box.x -= left;
        box.y -= top;
        out.width = std::max(out.width, box.right());
        out.height = std::max(out.height, box.bottom());
    }
    for (Band& band : placed.bands)
        band = {band.top - top, band.bottom - top};
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        for (double& x : placed.crossings[i]) {
            x -= left;
            out.width = std::max(out.width, x);
        }
        out.edges.push_back(route(placed, input.edges[i], placed.crossings[i]));
    }
    out.boxes = std::move(placed.boxes);
    return out;
}

} // namespace

double dotCost(const LayoutInput& input)
{
    const std::vector<int> rank = ranks(input);
    double places = static_cast<double>(input.boxes.size());
    for (const LayoutEdge& e : input.edges) {
        const int length = rank[static_cast<std::size_t>(e.to)] - rank[static_cast<std::size_t>(e.from)];
        places += std::max(0, length - 1);
    }
    // an estimate, on the safe side of what dot takes for chains with skips, dense blocks and fans: a place costs more
    // the more there are
    const double size = places + static_cast<double>(input.edges.size());
    return 0.02 * size + 0.00035 * size * size;
}

base::Result<LayoutResult> layout(const LayoutInput& input, std::stop_token stop, double dotLimit)
{
    GB_TRY(check(input));
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
    if (input.boxes.empty())
        return LayoutResult{};
    if (input.edges.empty() && input.boxes.size() > 1)
        return pack(input);
    if (dotCost(input) <= dotLimit) {
        GB_ASSIGN(Placement placed, dotLayout(input, stop));
        return finish(std::move(placed), input);
    }
    GB_ASSIGN(Placement placed, layeredLayout(input, stop));
    LayoutResult result = finish(std::move(placed), input);
    result.note = say("laid out by ranks and barycentres: {0} boxes and {1} lines on one level take dot too long",
                      base::grouped(static_cast<long long>(input.boxes.size())),
                      base::grouped(static_cast<long long>(input.edges.size())));
    return result;
}

} // namespace gb::views
