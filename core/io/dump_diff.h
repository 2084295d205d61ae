// What differs between two stage dumps, stage by stage, as sentences for a reader.
//
// The rules are those of the oracle's compare.py: nodes are held against each other by name, then their order; of an
// error only the type counts; model and producer do not count. Beyond them mode, recipe and options count, and the
// observed figures (min_val, max_val, histogram) of the calibrated stage.
//
// Thread: pure function.
#pragma once

#include "io/dump.h"

#include <string>
#include <vector>

namespace gb::io {

struct StageDifferences {
    std::string stage;                ///< "exported", ... or "run" for what is said of the whole run
    std::vector<std::string> entries; ///< "conv2d.args[3][0]: 1 here, 2 there"
};

/// Stages with differences only, in the order of the flow; empty where the dumps are the same. Numbers of the
/// calibrated and converted stages may differ by `tolerance` relative to the larger one; 0 asks for the same double.
/// With a tolerance, only the sum of a histogram counts: a value that differs in its last bit may fall into the next
/// bin.
std::vector<StageDifferences> diffDumps(const Dump& a, const Dump& b, double tolerance);

} // namespace gb::io
