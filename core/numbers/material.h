// What figures are worked out from: a run that was made here, and the batches that it may be held against.
//
// A recording from a file has no weights and no batches, so it has no material: qparams, storage and batches are shown
// of it (they need the recording alone), errors and what-if are not.
//
// Thread: a value; work on it belongs to one thread at a time (see engine/calibrated.h).
#pragma once

#include "engine/calibrated.h"
#include "engine/run.h"

#include <memory>
#include <vector>

namespace gb::numbers {

struct Material {
    std::shared_ptr<const ir::GraphModule> program; ///< as it was loaded
    engine::CalibratedPtr calibrated;               ///< never null
    trace::RecordingPtr recording;
    std::vector<engine::Batch> calibration; ///< what the observers saw, in order
    std::vector<engine::Batch> check;       ///< what errors are measured on; the calibration batches where none given
    unsigned threads = 0;                   ///< of the interpreter
    [[nodiscard]] const std::vector<engine::Batch>& checkBatches() const { return check.empty() ? calibration : check; }
};
using MaterialPtr = std::shared_ptr<const Material>;

/// A copy without its observers and fake quantizes (sub-graphs included): the float model with the same node numbers as
/// the converted one. What prepare folded stays folded.
std::shared_ptr<ir::GraphModule> withoutObservers(const ir::GraphModule& prepared);

/// A copy that convert has gone over. Errors: those of convert.
base::Result<std::shared_ptr<ir::GraphModule>> convertedCopy(const engine::Calibrated& calibrated,
                                                             const base::Work& work = {});

} // namespace gb::numbers
