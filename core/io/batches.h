// Calibration inputs: batches of arrays for a model's inputs (formats.md, section 5).
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "io/npz.h"
#include "io/pt2.h"

#include <string>
#include <vector>

namespace gb::io {

/// One value for each of the model's inputs, in their order.
using Batch = std::vector<Leaf>;

/// Sorts arrays named BATCH.INPUT into batches. BATCH counts from 0 without a hole; INPUT is the position among the
/// model's inputs, or an input's name. An input that the program fixes to a number or None needs no array: it takes the
/// sample's value. Errors (Shape, NotFound, Format) name the array: a wrong shape (symbolic sizes are free, but the
/// same symbol is the same size within a batch) or dtype, a missing or unknown input, a hole, an input given twice.
/// `place` is the file.
base::Result<std::vector<Batch>> batchesFrom(const NamedTensors& arrays, const Program& program,
                                             const std::string& place);
/// readNpz and batchesFrom.
base::Result<std::vector<Batch>> readBatches(const std::string& path, const Program& program);
/// The one batch of the sample inputs stored in the .pt2. Error: why there is none.
base::Result<std::vector<Batch>> sampleBatches(const Program& program);

} // namespace gb::io
