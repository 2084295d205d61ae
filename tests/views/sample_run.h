// A small run made by hand: x -> conv2d -> relu -> add(relu, relu) -> cat([add, x]) with labels of every kind,
// observers, one batch, and q/dq with an int8 weight. It stands for what prepare and convert record, so that the views'
// tests need neither of them.
#pragma once

#include "trace/recorder.h"
#include "trace/replay.h"

#include <memory>

namespace gb::test {

struct SampleRun {
    trace::RecordingPtr recording;
    ir::NodeId x = 0, weight = 0, bias = 0, conv = 0, relu = 0, add = 0, cat = 0, output = 0;
    ir::NodeId xObserver = 0, weightObserver = 0, reluObserver = 0;
    ir::NodeId foldedWeight = 0, weightScale = 0, weightDequantize = 0, xQuantize = 0, xDequantize = 0;
};

struct SampleOptions {
    bool calibrated = true;
    bool converted = true;
    bool dropsAdd = false; ///< convert takes `add` out of the graph
};

SampleRun makeSampleRun(const SampleOptions& options = {});

/// The moment at the end of a stage of the run.
trace::MomentPtr momentAt(const trace::RecordingPtr& recording, const char* stage);

/// int8 affine per tensor with a HistogramObserver.
ir::QuantizationSpec activationSpec();
/// int8 symmetric per channel in [-127, 127] with a PerChannelMinMaxObserver.
ir::QuantizationSpec weightSpec();

} // namespace gb::test
