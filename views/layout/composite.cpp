#include "layout/composite.h"

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kColumnGap = 16;
constexpr double kRowGap = 22;
constexpr double kAbove = 30; ///< between the constants and the op
constexpr double kLane = 30;
constexpr double kLaneLine = 40; ///< each line after the first

double widthOf(const std::vector<int>& column, const std::function<Rect(int)>& extent)
{
    double width = 0;
    for (const int cell : column)
        width = std::max(width, extent(cell).width);
    return width;
}

double heightOf(const std::vector<int>& column, const std::function<Rect(int)>& extent)
{
    double height = -kRowGap;
    for (const int cell : column)
        height += extent(cell).height + kRowGap;
    return height;
}

} // namespace

Composite compose(int host, const std::vector<std::vector<int>>& columns, int lines,
                  const std::function<Rect(int cell)>& extent)
{
    const Rect op = extent(host);
    Composite out{op.width, op.height, {}};
    if (columns.empty()) {
        out.cells.emplace_back(host, op);
        return out;
    }
    const std::size_t left = (columns.size() + 1) / 2;
    double sides[2] = {0, 0};
    double above = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        sides[i < left ? 0 : 1] += widthOf(columns[i], extent) + kColumnGap;
        above = std::max(above, heightOf(columns[i], extent));
    }
    const double lane = kLane + kLaneLine * std::max(0, lines - 1);
    out.width = std::max(op.width, 2 * std::max(sides[0], sides[1]) - 2 * kColumnGap + lane);
    out.height = above + kAbove + op.height;
    // the columns end right above the op, close to the lane
    double x = (out.width - lane) / 2 - sides[0] + kColumnGap;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i == left)
            x = (out.width + lane) / 2;
        const double width = widthOf(columns[i], extent);
        double y = above - heightOf(columns[i], extent);
        for (const int cell : columns[i]) {
            const Rect size = extent(cell);
            out.cells.push_back({cell, {x + (width - size.width) / 2, y, size.width, size.height}});
            y += size.height + kRowGap;
        }
        x += width + kColumnGap;
    }
    out.cells.push_back({host, {(out.width - op.width) / 2, above + kAbove, op.width, op.height}});
    return out;
}

} // namespace gb::views
