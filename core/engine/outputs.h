// What a model gave, as plain tensors, and how two of these differ.
//
// Thread: pure functions.
#pragma once

#include "ir/tensor.h"
#include "ops/value.h"

#include <string>
#include <utility>
#include <vector>

namespace gb::engine {

using NamedTensors = std::vector<std::pair<std::string, ir::Tensor>>;

/// The tensors of a flat result as "PREFIX.0", "PREFIX.1", ...: None is left out and does not count, Python numbers
/// become 0-dimensional tensors, bfloat16 becomes float32. They are copies.
NamedTensors namedOutputs(const std::string& prefix, const ops::ValueList& values);

/// How two lists of outputs differ, position by position.
struct Difference {
    bool equal = true;      ///< the same shapes, dtypes and bits everywhere
    double magnitude = 0.0; ///< largest finite absolute value in a
    double largest = 0.0;   ///< largest absolute difference of two elements; inf where shapes differ, nan counts as inf
};
Difference difference(const NamedTensors& a, const NamedTensors& b);

} // namespace gb::engine
