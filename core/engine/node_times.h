// How long each node took in calibration.
//
// Kept beside a run, in memory: the same run gives the same recording, so no clock is in that.
//
// Thread: values.
#pragma once

#include "ir/argument.h"

#include <cstdint>
#include <map>
#include <memory>

namespace gb::engine {

struct NodeTime {
    double milliseconds = 0; ///< of all runs together, on the clock on the wall
    std::int64_t runs = 0;

    [[nodiscard]] double mean() const { return runs > 0 ? milliseconds / static_cast<double>(runs) : 0; }
};
/// Of each node that was run, in sub-graphs too. A node that runs a sub-graph takes the time of what is in it.
using NodeTimes = std::map<ir::NodeId, NodeTime>;
using NodeTimesPtr = std::shared_ptr<const NodeTimes>;

} // namespace gb::engine
