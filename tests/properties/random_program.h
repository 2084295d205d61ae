// Programs at random: graphs of known ops as export makes them, with inputs to calibrate on. The same seed gives the
// same program on every machine: numbers come from mt19937 alone, not from the library's distributions.
#pragma once

#include "engine/run.h"

#include <random>

namespace gb::test {

struct RandomProgram {
    std::shared_ptr<ir::GraphModule> module;
    std::vector<engine::Batch> batches;
    bool folds = false; ///< a batch norm follows a conv: prepare changes weights, so outputs move in the last bits
};

RandomProgram randomProgram(std::uint32_t seed);

} // namespace gb::test
