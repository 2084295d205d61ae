// Whether a chain of nodes fits a rule's pattern and its `where`.
//
// Source: oracle/recipes.py, RulesQuantizer.chain_at and allowed.
//
// Thread: pure functions, but for the attempts that they report.
#pragma once

#include "quantizers/recipe.h"
#include "quantizers/report.h"

#include <optional>

namespace gb::quantizers::rules {

/// The nodes of the rule's pattern that begin at `node` (whose target fits the first place): each next node is the
/// only user of the one before it and takes it as its first argument. Nothing where a place does not fit; the attempt
/// says which.
std::optional<Chain> chainAt(RuleRun& run, const Rule& rule, ir::Node* node);

/// `where`: a node of the chain has the name; each node lies in the module; each node lies in a module of the type.
/// Says an attempt where not.
bool isAllowed(RuleRun& run, const Rule& rule, const Chain& chain);

} // namespace gb::quantizers::rules
