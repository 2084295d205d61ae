// The two layout engines behind layout(); inputs are checked already.
//
// Thread: any; dotLayout calls wait for each other.
#pragma once

#include "layout/layout.h"

namespace gb::views {

/// One layer: the heights between which its boxes stand.
struct Band {
    double top = 0;
    double bottom = 0;
};

/// What an engine decides; layout() makes curves of it.
struct Placement {
    std::vector<Rect> boxes;
    std::vector<Band> bands; ///< top to bottom, apart
    std::vector<int> bandOf; ///< of each box
    /// Of each edge: where it crosses the bands between its ends, nearest to `from` first. Each x is free of boxes over
    /// the whole band. Empty for an edge that does not run downwards.
    std::vector<std::vector<double>> crossings;
};

/// Graphviz dot (cgraph, gvc). All sizes are fixed and all labels empty, so no text is measured there. Error:
/// Cancelled, Unsupported when Graphviz has no dot plug-in.
base::Result<Placement> dotLayout(const LayoutInput& input, const std::stop_token& stop);

/// Ranks by longest path, order by barycentres, x by isotonic regression. Linear in boxes and edges a sweep.
base::Result<Placement> layeredLayout(const LayoutInput& input, const std::stop_token& stop);

} // namespace gb::views
