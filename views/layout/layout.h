// Layout as a pure function: sizes and edges in, rectangles and curves out. Top-down, layered.
//
// Boxes of one call never overlap; an edge runs downwards wherever the graph has no cycle. Graphviz dot does
// small inputs; those that would cost it too long get topological ranks with barycentre ordering, and the result says
// so. The same
// input gives the same result, to the last bit.
//
// Thread: any, several at once (dot itself runs one at a time).
#pragma once

#include "base/result.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gb::views {

struct Point {
    double x = 0;
    double y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
    double x = 0; ///< left
    double y = 0; ///< top; y grows downwards
    double width = 0;
    double height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] Point center() const { return {x + width / 2, y + height / 2}; }
    [[nodiscard]] bool overlaps(const Rect& o) const
    {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

/// A chain of cubic Bezier pieces: 1 + 3n points. Empty for an edge that could not be drawn.
using Curve = std::vector<Point>;

/// Whether a box has to stand in the first or the last layer, alone with others of its kind.
enum class Pin : unsigned char { No, Top, Bottom };

struct LayoutBox {
    double width = 0; ///< pixels at 100 %, at least 1
    double height = 0;
    Pin pin = Pin::No;
};

struct LayoutEdge {
    int from = 0; ///< index of a box
    int to = 0;
    double fromX = 0; ///< where the line leaves the box, from its middle; inside the box
    double toX = 0;   ///< where it arrives
};

struct LayoutInput {
    std::vector<LayoutBox> boxes;  ///< in graph order: ties are resolved by it
    std::vector<LayoutEdge> edges; ///< in argument order per consumer; parallel edges stay apart
    double rankGap = 40;           ///< free height between layers
    double boxGap = 22;            ///< free width between neighbours
};

struct LayoutResult {
    std::vector<Rect> boxes;  ///< one per input box
    std::vector<Curve> edges; ///< one per input edge, from the bottom of `from` to the top of `to`
    double width = 0;
    double height = 0;
    std::string note; ///< a sentence where the simpler layout was used; empty else
};

/// What dot may cost at most on one level, by dotCost().
inline constexpr double kDotLevelCost = 250;

/// About how many milliseconds dot takes, from boxes, edges and the places that long edges need between layers. It
/// looks at the input only, so the choice of an engine is the same on every machine and at every time.
double dotCost(const LayoutInput& input);

/// Lays out with dot where dotCost(input) is at most `dotLimit`. Errors: Cancelled when `stop` is asked for; Usage for
/// a box without size or an edge to no box.
base::Result<LayoutResult> layout(const LayoutInput& input, std::stop_token stop = {}, double dotLimit = kDotLevelCost);

} // namespace gb::views
