// A whole run: header and events. Append-only while it is made, immutable once published.
//
// Thread: a published recording (shared_ptr<const Recording>) may be read from any thread.
#pragma once

#include "trace/event.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gb::trace {

/// What is known before the first event.
struct Header {
    std::string producer = "greenbox"; ///< "torchao" for one recorded in Python
    std::string producerVersion;
    std::string torchVersion;            ///< of the file that was loaded
    std::string model;                   ///< the model's name (file name without folder and .pt2)
    std::string mode = "ptq";            ///< "ptq" or "qat"
    std::string recipe = "null";         ///< JSON text, as it was read
    std::vector<std::int64_t> calibrate; ///< positions of the batches
    bool calibrateGiven = false;         ///< `calibrate` differs from "all of them"
    bool foldQuantize = true;
};

/// How a run ended when it did not reach its end.
struct Failure {
    std::string type;    ///< torchao's exception name: "ValueError"
    std::string message; ///< our sentence
};

struct Recording {
    Header header;
    std::vector<Event> events;
    std::optional<Failure> failure;

    /// Index of the top graph's stage event of this name, or -1.
    [[nodiscard]] int stageEvent(std::string_view stage) const;
    /// The names of the stages that were reached, in order.
    [[nodiscard]] std::vector<std::string> stages() const;
};
using RecordingPtr = std::shared_ptr<const Recording>;

} // namespace gb::trace
