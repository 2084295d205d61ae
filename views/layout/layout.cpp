#include "layout/layout.h"

#include "base/message.h"
#include "layout/engines.h"

#include <algorithm>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

/// dot's time grows with edges as much as with boxes: a dense block of 500 boxes takes minutes.
constexpr std::size_t kDotEdgeLimit = 1500;

base::Status check(const LayoutInput& input)
{
    for (std::size_t i = 0; i < input.boxes.size(); ++i) {
        const LayoutBox& box = input.boxes[i];
        if (!(box.width >= 1 && box.height >= 1 && box.width < 1e6 && box.height < 1e6))
            return Error{ErrorCode::Usage, say("size {0} x {1}, 1 to 1,000,000 pixels expected", box.width, box.height),
                         say("box {0}", i)};
    }
    const auto count = static_cast<int>(input.boxes.size());
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        const LayoutEdge& edge = input.edges[i];
        if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count)
            return Error{ErrorCode::Usage, say("joins boxes {0} and {1} of {2}", edge.from, edge.to, count),
                         say("edge {0}", i)};
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
    std::vector<Point> through{{from.center().x, from.bottom()}};
    if (first < last) {
        through.push_back({from.center().x, placed.bands[at(first)].bottom});
        for (std::size_t i = 0; i < crossings.size(); ++i) {
            const Band& band = placed.bands[at(first) + 1 + i];
            through.push_back({crossings[i], band.top});
            through.push_back({crossings[i], band.bottom});
        }
        through.push_back({to.center().x, placed.bands[at(last)].top});
    }
    through.push_back({to.center().x, to.y});
    Curve curve{through[0]};
    for (std::size_t i = 1; i < through.size(); ++i) {
        const Point a = through[i - 1];
        const Point b = through[i];
        // an edge that closes a cycle swings out; a box that fills its band leaves a stretch of no length
        const double bend = b.y > a.y - 0.5 ? std::max(0.0, (b.y - a.y) / 2) : 30;
        curve.push_back({a.x, a.y + bend});
        curve.push_back({b.x, b.y - bend});
        curve.push_back(b);
    }
    return curve;
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

base::Result<LayoutResult> layout(const LayoutInput& input, std::stop_token stop)
{
    GB_TRY(check(input));
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
    if (input.boxes.empty())
        return LayoutResult{};
    if (input.boxes.size() <= kDotLimit && input.edges.size() <= kDotEdgeLimit) {
        GB_ASSIGN(Placement placed, dotLayout(input, stop));
        return finish(std::move(placed), input);
    }
    GB_ASSIGN(Placement placed, layeredLayout(input, stop));
    LayoutResult result = finish(std::move(placed), input);
    result.note = say("laid out by ranks and barycentres: {0} nodes on one level, dot is used up to {1}",
                      base::grouped(static_cast<long long>(input.boxes.size())), kDotLimit);
    return result;
}

} // namespace gb::views
