// Where everything stands for one state of folding: a level of the module tree at a time, from the inside out.
//
// A level's boxes are its own cells (each with the constants tucked beside it), folded groups, and unfolded groups with
// their inner levels done. A line that crosses levels enters and leaves a group at a port, so that every level is laid
// out by itself and found again in the cache.
//
// Thread: pure; an Arrangement is an immutable value.
#pragma once

#include "layout/layout_cache.h"
#include "layout/module_tree.h"
#include "layout/tuck.h"

#include <functional>
#include <memory>

namespace gb::views {

/// Which groups are open.
struct Folding {
    std::vector<bool> unfolded;  ///< of each group of the tree; the root is always open
    bool constants = true;       ///< tucked constants stand beside their user; false: they are not shown
    std::vector<bool> only = {}; ///< of each cell: it is shown; empty: all are
    friend bool operator==(const Folding&, const Folding&) = default;
};

struct BoxExtent {
    double width = 1;
    double height = 1;
};

/// Sizes are asked for only where something is shown.
struct ExtentSource {
    std::function<BoxExtent(int cell)> cell;
    std::function<BoxExtent(int group)> folded; ///< the box of a folded group
    std::function<BoxExtent(int group)> title;  ///< the title of an unfolded one
};

struct GroupBox {
    int group = 0;
    Rect rect;
    bool folded = true;
    double titleHeight = 0; ///< of an unfolded one: the title has the full width above this
};

struct Arrangement {
    static constexpr int kShown = -1;
    static constexpr int kHidden = -2;

    Folding folding;
    std::vector<Rect> cells;      ///< of each cell; without size where it is not shown
    std::vector<int> standIn;     ///< of each cell: kShown, kHidden, or the folded group that stands for it
    std::vector<GroupBox> groups; ///< all that are shown, outer ones first; without the root
    /// Of each edge of the union graph, from the bottom of one cell (or of the group that stands for it) to the top of
    /// the other. Empty where both ends are in one folded group, or an end is hidden. Lines of one value into one
    /// folded group are one.
    std::vector<Curve> edges;
    double width = 0;
    double height = 0;
    std::vector<std::string> notes; ///< sentences: which levels were laid out the simpler way

    /// The box of a group, or null where it is not shown.
    [[nodiscard]] const GroupBox* boxOf(int group) const;
};
using ArrangementPtr = std::shared_ptr<const Arrangement>;

/// What dot may cost over all levels, by dotCost(); equal levels count once. The cheapest levels are served first.
inline constexpr double kDotTotalCost = 450;

/// Errors: Cancelled, and what layout() says.
base::Result<ArrangementPtr> arrange(const UnionGraph& graph, const ModuleTree& tree, const Tucked& tucked,
                                     const Folding& folding, const ExtentSource& extents, LayoutCache& cache,
                                     const std::stop_token& stop = {});

/// Open as far as at most `boxes` boxes are shown, level by level; repeated blocks stay folded. Constants beside their
/// user and places kept for observers count as boxes.
Folding firstFolding(const ModuleTree& tree, const Tucked& tucked, std::size_t boxes);
Folding allUnfolded(const ModuleTree& tree);
/// Which cells are at most `steps` ops away from those given, up or down; slots on the way and tucked constants come
/// along.
std::vector<bool> cellsAround(const UnionGraph& graph, const Tucked& tucked, const std::vector<int>& seeds, int steps);

} // namespace gb::views
