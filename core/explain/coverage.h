// How much of a graph is labelled: by op and by module.
//
// Thread: pure functions.
#pragma once

#include "explain/explain.h"

namespace gb::explain {

/// How a compute op stands. A label that has only shared specs was handed on (Propagated) when its output uses what its
/// first input's producer has, else it joins others (Shared). Without a label: a rule tried it (Refused), or none did.
enum class Standing : unsigned char { Labelled, Propagated, Shared, Refused, None };
inline constexpr std::size_t kStandings = 5;

struct CoverageRow {
    std::string name; ///< an op ("aten.conv2d.default") or a module's path ("layer1.0"); "" for ops in no module
    std::string type; ///< the module's type; empty for an op
    int total = 0;
    int counts[kStandings] = {};
    std::vector<ir::NodeId> nodes;
    [[nodiscard]] int at(Standing standing) const { return counts[static_cast<std::size_t>(standing)]; }
};

struct Coverage {
    CoverageRow all;
    std::vector<CoverageRow> byOp;     ///< by name
    std::vector<CoverageRow> byModule; ///< by path: the innermost module of each op
    bool nothingLabelled = false;      ///< there are ops, the quantizer came to its end, and none has a label
};

struct RunView;
/// Of the recording where its labels are complete, all graphs together.
Coverage coverageOf(const RunView& run);

} // namespace gb::explain
