// The whole flow: load, fold, transform, annotate, validate, insert observers, calibrate, convert. Its result is a
// recording; nothing above this runs quantization logic of its own.
//
// Source: the order of things is the oracle's dump.py around torchao's prepare_pt2e, prepare_qat_pt2e and convert_pt2e.
//
// Thread: run() may be called from any thread, and several runs may go on at once, as long as they do not share
// observers: the program given is only read.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "engine/node_times.h"
#include "ir/graph.h"
#include "ops/value.h"
#include "quantizers/recipe.h"
#include "trace/recording.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gb::engine {

struct Calibrated; // calibrated.h

/// An exported program as a run takes it.
struct RunInput {
    std::string model; ///< its name: the file's without folder and ".pt2"
    std::shared_ptr<const ir::GraphModule> module;
    std::string torchVersion;
};

/// One value for each placeholder, in order.
using Batch = ops::ValueList;

struct RunOptions {
    bool isQat = false;
    /// Positions in the batches that the prepared model runs on; absent: all of them, in order.
    std::optional<std::vector<std::int64_t>> calibrate;
    bool foldQuantize = true;
    /// The run ends after this stage: exported, folded, annotated, prepared, calibrated; empty or converted: at its
    /// end.
    std::string stopAfter;
    bool keepCalibrated = false; ///< whether RunResult::calibrated is wanted
    bool keepTimes = false;      ///< whether RunResult::times is wanted
    std::string producerVersion; ///< of this program, for the recording's header
    unsigned threads = 0;        ///< of the interpreter; 0: the machine's number. The result does not hang on it.
};

struct RunResult {
    trace::RecordingPtr recording; ///< never null; holds the stages up to an error
    /// "float.N", "prepared.N", "converted.N": output N on the first batch (bfloat16 as float32, which npz can hold).
    std::vector<std::pair<std::string, ir::Tensor>> outputs;
    /// The model between calibration and convert; null when it was not asked for or the run did not get there.
    std::shared_ptr<const Calibrated> calibrated;
    NodeTimesPtr times; ///< of the prepared model's nodes in calibration; null when not asked for or nothing was run
    /// Why the run did not reach its end. Codes as torchao's exceptions; NoKernel for an op that cannot be run (labels
    /// and the prepared graph are there); Usage for a wrong option; Cancelled.
    std::optional<base::Error> error;
};

/// Runs the flow. Cancelling `work` ends it within a kernel's chunk. Progress: 0..1000 with the stage's name.
RunResult run(const RunInput& input, const quantizers::Recipe& recipe, const RunOptions& options,
              const std::vector<Batch>& batches, const base::Work& work = {});

} // namespace gb::engine
