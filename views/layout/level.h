// One level of the module tree while it is laid out: its boxes, and the pieces of lines that run on it.
//
// Thread: one at a time; for arrangement.cpp only.
#pragma once

#include "layout/composite.h"
#include "layout/module_tree.h"

#include <map>
#include <memory>
#include <tuple>

namespace gb::views {

struct Level {
    static constexpr double kPad = 16;       ///< between a frame and what it holds
    static constexpr double kPortWidth = 10; ///< of the invisible box where a line enters or leaves
    static constexpr int kShared = -1;       ///< a piece that several lines use

    int group = 0;
    std::vector<ModuleChild> children; ///< one box each, in this order; then the ports
    std::map<int, int> boxOfCell;
    std::map<int, int> boxOfGroup;
    std::map<int, int> entries; ///< value (cell) -> box of its port at the top
    std::map<int, int> exits;
    LayoutInput input;
    std::map<std::tuple<int, int, int, int>, int> pieceIndex;
    std::vector<Composite> composites; ///< of the children that are cells; empty ones else
    std::shared_ptr<const LayoutResult> result;
    std::vector<Curve> pieces; ///< of the result, with ends moved apart
    double width = 0;          ///< of the frame; of the root the whole
    double height = 0;
    double titleHeight = 0;
    Point inner;  ///< where the layout begins inside the frame
    Point origin; ///< where it begins in the scene

    void addChild(const ModuleChild& child)
    {
        const int box = static_cast<int>(children.size());
        (child.isGroup ? boxOfGroup : boxOfCell)[child.index] = box;
        children.push_back(child);
        input.boxes.push_back({});
        composites.push_back({});
    }
    int port(std::map<int, int>& ports, int value, Pin pin)
    {
        const auto [found, isNew] = ports.try_emplace(value, static_cast<int>(input.boxes.size()));
        if (isNew)
            input.boxes.push_back({kPortWidth, 1, pin});
        return found->second;
    }
    /// The piece of a line of `value`; `line` keeps parallel lines apart.
    int piece(int from, int to, int value, int line)
    {
        const auto [found, isNew] =
            pieceIndex.try_emplace({from, to, value, line}, static_cast<int>(input.edges.size()));
        if (isNew)
            input.edges.push_back({from, to});
        return found->second;
    }
    /// What makes two levels equal but for sizes.
    [[nodiscard]] std::string structure() const
    {
        std::string out = std::to_string(input.boxes.size());
        for (const LayoutEdge& e : input.edges)
            out += ' ' + std::to_string(e.from) + '>' + std::to_string(e.to);
        return out;
    }
};

} // namespace gb::views
