// Errors inside the sub-graphs of control flow (while_loop, scan, cond, wrappers): cumulative only, over all rounds.
//
// Both models are run; the value of an op in the n-th round of its graph is held against that of the same op and round.
// Rounds that only one of the models makes are left out.
//
// Thread: the one that measures.
#pragma once

#include "numbers/op_errors.h"

#include <vector>

namespace gb::numbers {

/// A row an op of a sub-graph that both models have and that gives a tensor, in the order in which they are first run;
/// its name is the sub-graph's path and the op's own ("while_loop_body_graph_0.linear"). Empty where the model has no
/// sub-graph. `floats` and `converted` as in material.h. Errors: the interpreter's.
base::Result<std::vector<OpError>> subgraphErrors(const ir::GraphModule& floats, const ir::GraphModule& converted,
                                                  const std::vector<engine::Batch>& batches, unsigned threads,
                                                  const base::Work& work = {});

} // namespace gb::numbers
