// From what a rule says (chain indices, argument paths, positions) to nodes and specs of a chain that matched.
//
// Source: oracle/recipes.py, RulesQuantizer.argument, position and spec. Indices may be negative, as Python's.
//
// Thread: pure functions.
#pragma once

#include "quantizers/recipe.h"
#include "quantizers/report.h"

namespace gb::quantizers::rules {

/// chain[of]. Error: IndexError.
base::Result<ir::Node*> memberOf(const Chain& chain, std::int64_t of);
/// The argument at a path; a node on the way stands for its arguments; an empty path is the node itself. Errors:
/// IndexError, TypeError where a value has no parts, KeyError in a dict.
base::Result<ir::Argument> argumentAtPath(const ir::Node& node, const ArgumentPath& path);
/// Errors: those of argumentAtPath; StopIteration for a name that no node has; AttributeError for an edge that begins
/// at no node.
base::Result<ir::Position> resolvePosition(const RulePosition& position, const Chain& chain);
/// Null for null. Errors: those of resolvePosition; ValueError of a spec that torchao's class refuses.
base::Result<ir::Spec> resolveSpec(const RuleSpec& spec, const Chain& chain);

} // namespace gb::quantizers::rules
