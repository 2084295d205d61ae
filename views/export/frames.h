// What an export shows one after the other: stages of a run, or its steps. All frames have the same framing.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <QString>

#include <string>
#include <vector>

namespace gb::views {

struct Frame {
    std::string name;  ///< for the file: "03-annotated", "step-041"
    int event = -1;    ///< the moment
    std::string stage; ///< "annotated"; of a step the stage that it comes after, empty before the first
    QString caption;   ///< "annotated", or "step 41/187 · relu annotated by conv_relu"
    /// The name without its number: "annotated".
    [[nodiscard]] std::string shortName() const { return name.ends_with(stage) ? stage : name; }
};

/// Numbered by their place among all stages of a run. Errors: Usage for no stage, NotFound for one that the recording
/// does not have (says which it has).
base::Result<std::vector<Frame>> framesOfStages(const trace::Recording& recording,
                                                const std::vector<std::string>& stages);

/// At most so many steps are one export.
inline constexpr int kMostFrames = 500;
/// Steps `first` to `last`, from 1, as the window counts them: events that change something. Errors: Usage for steps
/// that the recording does not have, or too many.
base::Result<std::vector<Frame>> framesOfSteps(const trace::Recording& recording, int first, int last);

} // namespace gb::views
