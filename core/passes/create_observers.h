// One observer (or fake quantize) for each sharing group.
//
// Source: torchao/quantization/pt2e/prepare.py (_get_obs_or_fq_map, _create_obs_or_fq_from_qspec). The spec of the
// group's first position decides, whatever the others say.
//
// Thread: the one that runs the passes.
#pragma once

#include "passes/sharing_groups.h"
#include "quant/observer.h"

#include <memory>
#include <vector>

namespace gb::passes {

/// obs_or_fq_map: the observer of each row of groups.specs; null where the spec is None.
struct ObserverMap {
    SharingGroups groups;
    std::vector<std::shared_ptr<quant::Observer>> byRow;

    /// True when the position has a row (its observer may be null all the same).
    [[nodiscard]] bool contains(ir::Position position) const { return groups.specs.find(position).has_value(); }
    /// Null where there is no row, and where its spec is None.
    [[nodiscard]] std::shared_ptr<quant::Observer> at(ir::Position position) const;
};

/// Says an `observer` event for every observer made. Errors: AssertionError for a shared spec whose position has no
/// observer yet, KeyError for a derived one; what the observers' constructors raise.
base::Result<ObserverMap> createObservers(const ir::Graph& graph, SharingGroups groups, bool isQat,
                                          trace::Recorder& recorder);

} // namespace gb::passes
