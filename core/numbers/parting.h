// Where two runs part: op by op, between two models that were made from one program, on the same batches; or observer
// by observer, between two recordings, which have no weights to run.
//
// Ops are matched by name and target, which prepare and convert keep. An op's value is what its users see: after the
// quantize and dequantize of its output, where there are some.
//
// Thread: the one that measures; the rest are values and pure functions.
#pragma once

#include "numbers/material.h"
#include "numbers/measure.h"
#include "numbers/sheet.h"
#include "quantizers/recipe.h"

#include <string>
#include <vector>

namespace gb::numbers {

struct PartedOp {
    std::string name;
    std::string target;
    ir::NodeId node = ir::kNoNode; ///< in the first model
    ChannelGaps gap;               ///< first against second
    std::string first;             ///< how its output is quantized: "int8, scale 0.02, zero point -3"; empty: not
    std::string second;
};

struct Parting {
    std::vector<PartedOp> ops;          ///< of the top graph, in the first model's order; those that both have
    std::vector<std::string> onlyFirst; ///< ops that the other model has not
    std::vector<std::string> onlySecond;
    Gap output;                 ///< of all floating-point outputs
    std::string firstDifferent; ///< the first op whose value differs; empty where none does
};

/// Runs both on the batches. Errors: the interpreter's, Usage without batches.
base::Result<Parting> partingOf(const ir::GraphModule& first, const ir::GraphModule& second,
                                const std::vector<engine::Batch>& batches, unsigned threads = 0,
                                const base::Work& work = {});
/// The same program, calibrated on the same batches by another recipe. Errors: what the flow refuses.
base::Result<MaterialPtr> runWith(const Material& material, const quantizers::Recipe& recipe,
                                  const base::Work& work = {});
/// The converted models of two runs, on the first one's check batches. Errors: those of convert and of partingOf.
base::Result<Parting> partingOf(const Material& first, const Material& second, const base::Work& work = {});
/// A row an op, in graph order; what differs is told in the notes.
Sheet partingSheet(const Parting& parting);

/// Two recordings, observer by observer in the first one's order, matched by the label that asked for them: class,
/// scale, zero point, and the first batch in which they saw other values. Error (Format): a broken recording.
base::Result<Sheet> recordingsSheet(const trace::RecordingPtr& first, const trace::RecordingPtr& second);

} // namespace gb::numbers
