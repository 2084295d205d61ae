// The boxes in boxes that a model's modules make: which module each place of the graph belongs to.
//
// Honest: a group never makes a cycle that the graph does not have. A module that is called twice with something
// between is two groups; a module with a single op is none. Runs of equal siblings are one group with a count, and so
// are runs of a pattern of siblings (two kinds of block in turn); a differing one breaks the run. A flat stretch of
// more than kFlatLimit children is cut into parts.
//
// Thread: built on one; an immutable value afterwards.
#pragma once

#include "layout/union_graph.h"

#include <string>
#include <vector>

namespace gb::views {

/// One frame of nn_module_stack.
struct ModuleName {
    std::string path; ///< "layer1.0.conv1"
    std::string type; ///< "torch.nn.modules.conv.Conv2d"
};

/// What the tree is made from.
struct ModuleInput {
    std::vector<ModuleName> modules; ///< all frames that occur
    /// Of each cell: its modules, outermost first, as numbers in `modules`; without the model itself.
    std::vector<std::vector<int>> stacks;
    std::vector<int> host;         ///< of each cell: what it is tucked beside, or its own number
    std::vector<bool> isOp;        ///< of each cell: computes something (counts for whether a module is worth a box)
    std::vector<int> signature;    ///< of each cell: equal numbers mean equal in all that a reader would compare
    std::vector<std::string> name; ///< of each cell, for parts
};

/// A child of a group: another group, or a cell (never a tucked one).
struct ModuleChild {
    bool isGroup = false;
    int index = 0;
    friend bool operator==(const ModuleChild&, const ModuleChild&) = default;
};

struct ModuleGroup {
    enum class Kind : unsigned char {
        Root,   ///< the model
        Module, ///< a call of a module
        Repeat, ///< equal siblings, or a pattern of siblings, one after the other
        Part,   ///< a stretch of a flat level
        Unused, ///< what nothing leads to or from
    };
    Kind kind = Kind::Module;
    int parent = -1;
    std::string path;  ///< of the module; of a Repeat the first one's; of a Part its parent's
    std::string type;  ///< of the module, or of those that repeat
    std::string until; ///< last path of a Repeat; last node of a Part or of what is unused
    std::string from;  ///< first node of a Part or of what is unused
    int call = 1;      ///< of a module that stands for a path more than once: which one, from 1
    int calls = 1;
    std::vector<ModuleChild> children; ///< in an order in which producers come first
    int times = 1;                     ///< of a Repeat: how often the pattern comes
    int period = 1;                    ///< of a Repeat: how many siblings the pattern has
    int cells = 0;                     ///< cells in it and below, without tucked ones
    int depth = 0;                     ///< of the root 0
};

class ModuleTree {
public:
    static constexpr std::size_t kFlatLimit = 200;
    static constexpr std::size_t kFewestRepeats = 3;
    static constexpr std::size_t kLongestPattern = 8;
    static constexpr std::size_t kFewestPatterns = 2; ///< of more than one sibling

    ModuleTree() = default;
    ModuleTree(const UnionGraph& graph, const ModuleInput& input);

    /// The first one is the root.
    [[nodiscard]] const std::vector<ModuleGroup>& groups() const { return m_groups; }
    [[nodiscard]] const ModuleGroup& group(int index) const { return m_groups[static_cast<std::size_t>(index)]; }
    /// The innermost group of a cell; a tucked cell is in its host's.
    [[nodiscard]] int groupOf(int cell) const { return m_groupOf[static_cast<std::size_t>(cell)]; }
    /// A name that stays the same from run to run: "layer1.0", "layers.0…11", "conv#2". Empty for the root.
    [[nodiscard]] std::string key(int group) const;
    /// The group of a key, or -1.
    [[nodiscard]] int find(const std::string& key) const;

private:
    friend class ModuleTreeBuilder;
    std::vector<ModuleGroup> m_groups;
    std::vector<int> m_groupOf;
};

} // namespace gb::views
