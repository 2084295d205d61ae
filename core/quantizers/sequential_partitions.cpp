#include "quantizers/sequential_partitions.h"

#include <algorithm>

namespace gb::quantizers {
namespace {

/// _EQUIVALENT_TYPES; a function that torch has under two names is here under the one that a .pt2 writes
const std::vector<std::vector<PartitionSource>>& equivalentTypes()
{
    static const std::vector<std::vector<PartitionSource>> kTypes = {
        {moduleClass("torch.nn.modules.conv.Conv1d"), function("torch.conv1d")},
        {moduleClass("torch.nn.modules.conv.Conv2d"), function("torch.conv2d")},
        {moduleClass("torch.nn.modules.pooling.AdaptiveAvgPool2d"),
         function("torch.nn.functional.adaptive_avg_pool2d")},
        {moduleClass("torch.nn.modules.activation.ReLU"), function("torch.nn.functional.relu"),
         function("torch.relu_")},
        {moduleClass("torch.nn.modules.batchnorm.BatchNorm2d"), function("torch.nn.functional.batch_norm")},
        {moduleClass("torch.nn.modules.activation.Hardtanh"), function("torch.nn.functional.hardtanh"),
         function("torch._C._nn.hardtanh_")},
        {function("torch.add"), function("_operator.add"), function("_operator.iadd"), methodName("add"),
         methodName("add_")},
        {function("torch.mul"), function("_operator.mul"), function("_operator.imul"), methodName("mul"),
         methodName("mul_")},
    };
    return kTypes;
}

using Chain = std::vector<SourcePartition>;

/// Extends a chain by every partition of the next place that uses its last one: the product without its dead ends.
void extend(Chain& chain, const std::vector<std::vector<SourcePartition>>& places, std::vector<Chain>& out)
{
    if (chain.size() == places.size()) {
        out.push_back(chain);
        return;
    }
    for (const SourcePartition& next : places[chain.size()]) {
        if (!chain.empty() && !areConnected(chain.back(), next))
            continue;
        chain.push_back(next);
        extend(chain, places, out);
        chain.pop_back();
    }
}

} // namespace

std::vector<PartitionSource> equivalentSources(const PartitionSource& source)
{
    for (const auto& group : equivalentTypes())
        if (std::ranges::find(group, source) != group.end())
            return group;
    return {source};
}

base::Result<std::vector<Chain>> findSequentialPartitions(const ir::Graph& graph,
                                                          const std::vector<PartitionSource>& sequence)
{
    std::vector<std::vector<SourcePartition>> places;
    for (const PartitionSource& source : sequence) {
        GB_ASSIGN(auto partitions, getSourcePartitions(graph, equivalentSources(source), {}));
        places.push_back(std::move(partitions));
    }
    std::vector<Chain> out;
    Chain chain;
    extend(chain, places, out);
    return out;
}

} // namespace gb::quantizers
