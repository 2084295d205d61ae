// Where shared specs lead: the reference at the end, and those that lead nowhere.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "explain/view.h"
#include "passes/sharing_groups.h"

namespace gb::explain {

/// The spec at the end of a row's shared references; null where they lead nowhere.
ir::Spec concreteSpec(const passes::SpecTable& specs, std::size_t row);

/// Says which shared specs refer to no label (dangling) or to each other (a cycle): prepare refuses them. True when
/// there is one.
bool addReferenceFindings(const ir::Graph& graph, const passes::SpecTable& specs, Answer& answer);

/// True for an op whose output has no negative element: relu, sigmoid, softmax, abs, hardtanh or clamp from 0 on.
bool isNeverNegative(const ir::Node& node);

} // namespace gb::explain
