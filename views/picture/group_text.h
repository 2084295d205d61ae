// What a module's box says: its name and type, how many ops are in it, and a summary, so that nothing hides in a folded
// one.
//
// Thread: pure functions.
#pragma once

#include "layout/module_tree.h"
#include "picture/node_text.h"

namespace gb::views {

/// Counted over all cells of a group at one moment.
struct GroupFacts {
    int ops = 0;
    int labelled = 0;   ///< ops with a label
    int unlabelled = 0; ///< ops that the quantizer left without one
    int observers = 0;
    int pairs = 0; ///< dequantize nodes
    int constants = 0;

    GroupFacts& operator+=(const GroupFacts& other);
};

/// "layer1.0", "layers.0 … 11", "add_3 … relu_9"
QString groupName(const ModuleGroup& group);
/// "Bottleneck", "Bottleneck × 12", "part of features"
QString groupType(const ModuleTree& tree, int group);
/// "annotated 8/10 · 7 obs · 2 without label"; empty where there is nothing to say.
QString groupSummary(const GroupFacts& facts, bool labels);

/// The box of a folded group. With `widest`, one that has room for every moment's.
NodeText foldedText(const ModuleTree& tree, int group, const GroupFacts& facts, bool labels);
NodeText widestFoldedText(const ModuleTree& tree, int group);
/// The title of an unfolded one.
NodeText titleText(const ModuleTree& tree, int group, const GroupFacts& facts, bool labels);

} // namespace gb::views
