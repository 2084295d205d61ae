// What `run` prints of a recording: stages, labels, observers with their qparams, outputs.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <iosfwd>

namespace gb::cli {

/// Error (Format): the recording's edits do not fit its graphs.
base::Status printStages(const trace::RecordingPtr& recording, std::ostream& out);
/// A row an observer node: observes, type, dtype, scale, zero point. From the newest stage that has observers.
base::Status printObservers(const trace::RecordingPtr& recording, std::ostream& out);
/// The sentences of compare events: how the outputs differ.
void printComparisons(const trace::Recording& recording, std::ostream& out);

} // namespace gb::cli
