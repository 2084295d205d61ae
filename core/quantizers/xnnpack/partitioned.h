// What the rules that go by source metadata (adaptive_avg_pool2d, gru_io_only, cat) have in common.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/source_partitions.h"
#include "quantizers/xnnpack/annotators.h"

namespace gb::quantizers::xnnpack {

/// The partitions that the setting's filter accepts. Says, for each node with one of the rule's targets that no
/// accepted partition holds, why: its metadata names no wanted source (R3), or the filter (R4).
base::Result<std::vector<SourcePartition>> partitionsFor(RuleRun& run, const std::vector<PartitionSource>& wanted,
                                                         const Filter& filter);

/// list[index] of a partition's nodes: IndexError ("list index out of range" in Python) beyond the end.
base::Result<ir::Node*> memberAt(const std::vector<ir::Node*>& list, std::size_t index, const char* what,
                                 const SourcePartition& partition);

} // namespace gb::quantizers::xnnpack
