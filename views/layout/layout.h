// Layout as a pure function: sizes and edges in, rectangles and curves out. Top-down, layered.
//
// Boxes of one call never overlap; an edge runs downwards wherever the graph has no cycle. Graphviz dot does levels of
// up to kDotLimit boxes; larger ones get topological ranks with barycentre ordering, and the result says so. The same
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

struct LayoutBox {
    double width = 0; ///< pixels at 100 %, at least 1
    double height = 0;
};

struct LayoutEdge {
    int from = 0; ///< index of a box
    int to = 0;
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

inline constexpr std::size_t kDotLimit = 600;

/// Errors: Cancelled when `stop` is asked for; Usage for a box without size or an edge to no box.
base::Result<LayoutResult> layout(const LayoutInput& input, std::stop_token stop = {});

} // namespace gb::views
