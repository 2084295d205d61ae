// The tensors that stood at one place of the float model, batch by batch.
//
// Thread: the one that measures.
#pragma once

#include "numbers/material.h"

#include <vector>

namespace gb::numbers {

/// Copies of what `node` (of the top graph) gave on each batch. Errors: NotFound (no such node, or it gives no tensor),
/// and the interpreter's.
base::Result<std::vector<ir::Tensor>> valuesOf(const Material& material, const ir::GraphModule& floats, ir::NodeId node,
                                               const std::vector<engine::Batch>& batches, const base::Work& work = {});

} // namespace gb::numbers
