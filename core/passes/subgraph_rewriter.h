// Replaces the places in a graph that look like a pattern by copies of another graph.
//
// Source: torch/fx/subgraph_rewriter.py (replace_pattern_with_filters with ignore_literals=True, _replace_attributes).
//
// Thread: the one that runs the passes.
#pragma once

#include "ir/subgraph_matcher.h"
#include "passes/pass_context.h"

#include <functional>
#include <unordered_map>

namespace gb::passes {

struct RewriteRule {
    ir::Pattern pattern;
    ir::Pattern replacement; ///< with as many placeholders as the pattern, in the same order
    /// Which matches to replace; empty: all.
    std::function<bool(const ir::Graph& graph, const ir::PatternMatch& match)> wanted = {};
    /// The event of a match, said before its edits; the nodes that come are added to it. Required.
    std::function<trace::Event(const ir::Graph& graph, const ir::PatternMatch& match)> event = {};
};

/// ReplacedPatterns. The nodes that went are still there to be read: their literal arguments, meta and annotation.
struct Rewritten {
    /// What each node of the pattern stood for; null for a literal. A placeholder that stood for a node which an
    /// earlier match replaced stands for that node's successor.
    std::unordered_map<const ir::Node*, ir::Node*> before;
    /// The copy of each node of the replacement, without its placeholders.
    std::unordered_map<const ir::Node*, ir::Node*> now;
};

/// All matches are found first, then replaced in order. Modules of which no node names anything go, also when nothing
/// matched. Errors: AssertionError where the numbers of placeholders differ or there is no node to insert before; those
/// of lint.
base::Result<std::vector<Rewritten>> replacePattern(ir::GraphModule& model, const RewriteRule& rule,
                                                    trace::Recorder& recorder);

} // namespace gb::passes
