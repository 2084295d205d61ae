// What kind of op a node is, and which spellings of an op mean the same.
//
// Thread: pure functions.
#pragma once

#include "ir/node.h"

#include <string>
#include <string_view>

namespace gb::explain {

/// A call of an op that computes tensors: no getitem or other Python function, no sizes and asserts, and no control
/// flow (its ops stand in the sub-graphs).
bool isComputeOp(const ir::Node& node);

/// Two targets that spell one op: other overload, in place, copy, or another name ("relu" and "relu_", "cat" and
/// "concat", "view" and "reshape", "permute" and "transpose").
bool areSiblings(std::string_view a, std::string_view b);

/// An op that stands for many (attention, GRU, LSTM) and was not decomposed.
bool isComposite(std::string_view target);

} // namespace gb::explain
