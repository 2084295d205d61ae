// One graph that computes a float model, its quantized form and single steps between them side by side.
//
// Each op of the float graph is followed by the quantized graph up to the same op, and by probes of this op: with
// everything around it exact, only its inputs or only its weights quantized, and its exact output quantized. One
// run of the interpreter then gives all values that an error is measured with, and no value lives longer than needed.
// Ops that write in place are made plain where nobody reads what they wrote over; others have no probes.
//
// Thread: the one that measures.
#pragma once

#include "numbers/material.h"

#include <memory>
#include <vector>

namespace gb::numbers {

/// The nodes of the probe graph that belong to one op; kNoNode where there is no such probe.
struct OpProbes {
    ir::NodeId op = ir::kNoNode;          ///< in the float and in the converted graph; its exact value in the probe
    ir::NodeId cumulative = ir::kNoNode;  ///< as the converted model computes it, output quantization included
    ir::NodeId local = ir::kNoNode;       ///< exact inputs through this op's own quantization: weights, output
    ir::NodeId inputsOnly = ir::kNoNode;  ///< quantized inputs, float weights
    ir::NodeId weightsOnly = ir::kNoNode; ///< quantized weights, exact inputs
    ir::NodeId outputOnly = ir::kNoNode;  ///< the exact output, quantized and dequantized
    ir::NodeId quantize = ir::kNoNode;    ///< the output's quantize node in the converted graph
};

struct Probe {
    std::shared_ptr<ir::GraphModule> module;
    /// In graph order: ops of the top graph that both models have and that give a tensor; inputs that are quantized.
    std::vector<OpProbes> ops;
};

/// `floats` and `converted` come from one prepared model (material.h): an op has the same number in both.
Probe makeProbe(const ir::GraphModule& floats, const ir::GraphModule& converted);

} // namespace gb::numbers
