// Finds the places in a graph that look like a pattern graph.
//
// Source: torch/fx/passes/utils/matcher_utils.py SubgraphMatcher with ignore_literals=True, and
// matcher_with_name_node_map_utils.py. Only for patterns with one returned node (the anchor): torch's search over
// several anchors and its check for cycles have nothing to do then.
//
// Placeholders of a pattern are wildcards. All nodes but the returned one may have no users outside the match. Matches
// that overlap an earlier one are dropped.
//
// Thread: pure functions.
#pragma once

#include "ir/graph.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gb::ir {

/// A pattern: its graph (placeholders, calls, an output of one node) and names for some of its nodes.
struct Pattern {
    std::shared_ptr<Graph> graph;
    std::vector<std::pair<std::string, const Node*>> names; ///< in order: "input", "conv", ...

    /// The one node that the output returns.
    [[nodiscard]] const Node* returned() const;
    /// The node of a name; null when there is none.
    [[nodiscard]] const Node* named(const std::string& name) const;
};

/// What each pattern node stands for: a node, or the literal that a placeholder met (None for an absent bias).
struct PatternMatch {
    std::shared_ptr<const Graph> pattern;                ///< keeps the pattern's nodes alive
    std::vector<std::pair<const Node*, Argument>> nodes; ///< in the order of matching
    std::unordered_map<std::string, Argument> named;

    /// The graph's node for a name, or null where a literal stands there.
    [[nodiscard]] Node* node(const Graph& graph, const std::string& name) const;
};

/// In the order of the anchor's candidates in the graph.
std::vector<PatternMatch> matchPattern(const Pattern& pattern, const Graph& graph);

} // namespace gb::ir
