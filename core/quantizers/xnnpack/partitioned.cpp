#include "quantizers/xnnpack/partitioned.h"

#include <algorithm>
#include <unordered_set>

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

std::string wantedText(const std::vector<PartitionSource>& wanted)
{
    std::string out;
    for (const PartitionSource& source : wanted)
        out += (out.empty() ? "" : " or ") + source.text;
    return out;
}

} // namespace

base::Result<std::vector<SourcePartition>> partitionsFor(RuleRun& run, const std::vector<PartitionSource>& wanted,
                                                         const Filter& filter)
{
    GB_ASSIGN(const std::vector<SourcePartition> all, getSourcePartitions(run.graph(), wanted, Filter{}));
    std::unordered_set<const ir::Node*> found;
    std::vector<SourcePartition> accepted;
    for (const SourcePartition& partition : all) {
        found.insert(partition.nodes.begin(), partition.nodes.end());
        if (!run.refusedByFilter(partition.nodes, partition.nodes, filter))
            accepted.push_back(partition);
    }
    const std::string expected = wantedText(wanted);
    for (ir::Node* node : run.candidates()) {
        if (found.contains(node))
            continue;
        const std::string source = describeSource(*node);
        run.refuse({node},
                   {"source_partition", "R3", source, "source " + expected,
                    message("rule {0} does not see {1}: it goes by source metadata and wants {2}, the node has {3}",
                            run.info().name, node->name(), expected, source)});
    }
    return accepted;
}

base::Result<ir::Node*> memberAt(const std::vector<ir::Node*>& list, std::size_t index, const char* what,
                                 const SourcePartition& partition)
{
    if (index < list.size())
        return list[index];
    return Error{ErrorCode::IndexError,
                 say("the partition {0} has {1} {2}, at least {3} expected", nameList(partition.nodes), list.size(),
                     what, index + 1),
                 "node " + partition.nodes.back()->name()};
}

} // namespace gb::quantizers::xnnpack
