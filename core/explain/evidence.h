// The facts of the graph that a reason rests on, with the values found.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "explain/view.h"

namespace gb::explain {

/// Inputs with their dtypes, users, module path and source metadata, as far as the reason's code asks for them; for R5
/// the match that took the other member.
std::vector<Evidence> evidenceFor(const RunView& run, const ir::Node& node, const NodeReason& reason);

/// "float32 [1, 3, 8, 8]", "3 values", "no tensor"
std::string valueText(const ir::Node& node);

} // namespace gb::explain
