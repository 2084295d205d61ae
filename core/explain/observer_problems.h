// What is wrong with the observers of a run: never ran, at the eps floor, fed with constants or NaN, on the wrong axis.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "explain/view.h"

namespace gb::explain {

/// Of the observers as they are after calibration; nothing where the run did not get there.
void addObserverProblems(const RunView& run, Answer& answer);

/// The axis of a weight that runs over the op's output channels: 1 for a transposed convolution, 0 for a convolution, a
/// linear and an embedding; absent for other ops.
std::optional<std::int64_t> outputChannelAxis(std::string_view target);

} // namespace gb::explain
