// Where the accuracy goes: for each op, how far its quantized output is from the float one, and through what.
//
// Cumulative: the converted model's value (after the output's own quantize and dequantize) against the float model's.
// Local: the same op on exact inputs, through its own quantization alone, that of its weights and of its output. So
// each quantize counts once: an edge's with what produces it, a model input's with the input. Single causes are
// measured with everything else exact: quantized inputs, quantized weights, and of the output's quantization what lies
// outside of the representable range (clipping) and the rest (rounding). Parts do not add up to the whole where they
// cancel or amplify.
//
// Ops of sub-graphs of control flow (subgraph_errors.h) have the cumulative error only; to the top graph the whole
// sub-graph is one op.
//
// Thread: the one that measures.
#pragma once

#include "numbers/material.h"
#include "numbers/measure.h"
#include "numbers/sheet.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gb::numbers {

struct OpError {
    ir::NodeId node = ir::kNoNode;
    std::string name;
    std::string target;
    std::string module; ///< innermost path of nn_module_stack
    std::string graph;  ///< path of its graph; empty: the top one
    ChannelGaps cumulative;
    ChannelGaps local;      ///< all zero where the op has no quantization of its own
    bool quantized = false; ///< has quantized weights or output
    std::optional<Gap> inputs;
    std::optional<Gap> weights;
    std::optional<Gap> clipping; ///< of the output; the signal is the op's output in all four
    std::optional<Gap> rounding;
};

struct ErrorReport {
    std::vector<OpError> ops; ///< in graph order; those of sub-graphs follow
    Gap output;               ///< all floating-point outputs of the model, float against converted
    std::int64_t agreed = 0;  ///< rows of the first output whose largest value stands at the same place
    std::int64_t rows = 0;
    std::string firstDifferent; ///< the first op whose cumulative error is not 0; empty where there is none
};

/// Runs the check batches once. Errors: those of convert and of the interpreter, Usage without batches.
base::Result<ErrorReport> opErrors(const Material& material, const base::Work& work = {});
/// The same for any converted form of the model (what-if).
base::Result<ErrorReport> opErrors(const Material& material, const ir::GraphModule& converted,
                                   const base::Work& work = {});

/// Rows by size: the smallest typical SQNR of the local error first; ops without quantization of their own last.
Sheet errorSheet(const ErrorReport& report);

/// What a map over the graph can show of each op.
enum class ErrorFigure : std::uint8_t { LocalSqnr, CumulativeSqnr, LargestGap };
struct OverlayValues {
    std::map<ir::NodeId, double> values;
    std::string unit; ///< "dB", or "" for plain values
};
OverlayValues overlayOf(const ErrorReport& report, ErrorFigure figure);

/// The same as two columns, a node and its value, as an overlay is read from a CSV (`greenbox export --overlay`); of
/// the top graph's ops.
Sheet overlaySheet(const ErrorReport& report, ErrorFigure figure);

} // namespace gb::numbers
