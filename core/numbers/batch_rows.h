// Batches as a list: what is in each, how often it is used, and what a reader should know before the run.
//
// Thread: pure functions.
#pragma once

#include "engine/run.h"
#include "numbers/sheet.h"

#include <optional>
#include <string>
#include <vector>

namespace gb::numbers {

struct BatchList {
    std::vector<engine::Batch> batches;
    std::vector<std::string> inputs; ///< the model's names; positions stand in for those that are missing
    /// Positions that are run, in order, a batch as often as it stands here; absent: all, once.
    std::optional<std::vector<std::int64_t>> chosen;
};

/// A row a batch and tensor input: shape, dtype, min, max, mean, how often it is run. Notes name inputs that hold NaN
/// or infinities or a single value, batches that are the same, and those that are not used.
Sheet batchSheet(const BatchList& list);

/// "0,2,2" as positions, "none" as no batch, "" as absent. `count` batches are there. Errors (Usage): another text, a
/// position that is not there.
base::Result<std::optional<std::vector<std::int64_t>>> positionsFrom(const std::string& text, std::int64_t count);

} // namespace gb::numbers
