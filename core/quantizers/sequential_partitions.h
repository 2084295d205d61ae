// Chains of source partitions, each of which uses the one before it: conv2d, add, relu.
//
// Source: torchao/quantization/pt2e/graph_utils.py (find_sequential_partitions, _EQUIVALENT_TYPES).
//
// Thread: pure functions.
#pragma once

#include "quantizers/source_partitions.h"

namespace gb::quantizers {

/// The source and what counts as the same: a module class and its functions, an operator and its spellings.
std::vector<PartitionSource> equivalentSources(const PartitionSource& source);

/// All chains, in the order of itertools.product (the last place varies fastest). Precondition: no two sources of the
/// sequence are equivalent. Errors: those of getSourcePartitions.
base::Result<std::vector<std::vector<SourcePartition>>>
findSequentialPartitions(const ir::Graph& graph, const std::vector<PartitionSource>& sequence);

} // namespace gb::quantizers
