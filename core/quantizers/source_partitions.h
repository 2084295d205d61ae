// The nodes that came from one call of a function or one leaf module, by the metadata that export leaves.
//
// Source: torch/fx/passes/utils/source_matcher_utils.py (get_source_partitions, check_subgraphs_connected).
//
// A loaded program has source_fn_stack only where it was exported with strict=True; torch_fn's names ("conv2d") match
// only sources that are plain text; nn_module_stack finds leaf modules, where two calls of one module fall into one
// partition.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "quantizers/filter.h"

#include <string>
#include <vector>

namespace gb::quantizers {

/// What partitions are looked for: a module class, a function, or the name of a tensor method.
struct PartitionSource {
    enum class Kind : std::uint8_t { ModuleClass, Function, Text };
    Kind kind = Kind::Function;
    std::string text; ///< as a .pt2 writes it: "torch.nn.modules.rnn.GRU", "torch.cat", "_operator.add", "add"
    friend bool operator==(const PartitionSource&, const PartitionSource&) = default;
};
PartitionSource moduleClass(std::string text);
PartitionSource function(std::string text);
PartitionSource methodName(std::string text);

struct SourcePartition {
    std::vector<ir::Node*> nodes; ///< in graph order
    PartitionSource source;
    // each in graph order
    std::vector<ir::Node*> inputNodes;  ///< read by the partition's direct arguments, not get_attr
    std::vector<ir::Node*> outputNodes; ///< with a user outside; not get_attr
    std::vector<ir::Node*> params;      ///< its get_attr nodes
};

/// All partitions of the wanted sources, grouped by source in the order in which the graph first shows them
/// (itertools.chain over the values of torch's dict). The filter must accept every node of a partition.
/// Error: IndexError where a torch_fn has no dot (torch's own split raises).
base::Result<std::vector<SourcePartition>>
getSourcePartitions(const ir::Graph& graph, const std::vector<PartitionSource>& wanted, const Filter& filter);

/// "source torch.cat", or without a source_fn_stack what stands in for it: what a rule that goes by it saw.
std::string describeSource(const ir::Node& node);

/// A node of `second` uses a node of `first`.
bool areConnected(const SourcePartition& first, const SourcePartition& second);

} // namespace gb::quantizers
