// From label to backend, one row an observer: what asked for it, what it is, what it found, which q/dq stand for it,
// and what a backend reads there.
//
// From the recording alone.
//
// Thread: pure functions.
#pragma once

#include "numbers/sheet.h"
#include "trace/replay.h"

#include <string>
#include <vector>

namespace gb::numbers {

struct QParamsRow {
    std::string graph;
    std::string observer;          ///< name of the observer node
    ir::NodeId node = ir::kNoNode; ///< the observer node
    std::int64_t instance = -1;
    std::string label;                 ///< the position that asked for it: "x -> conv2d", "relu"
    std::vector<std::string> reusedBy; ///< further consumers that take it
    std::string observes;
    std::string type;
    std::string dtype;
    std::string qscheme;
    std::string scale; ///< one number, or "8 from 0.001278 to 0.001512"
    std::string zeroPoint;
    std::string quantize;   ///< name of the quantize node, or of the constant that it was folded into
    std::string dequantize; ///< names of the dequantize nodes
    std::string backend;    ///< what is read there: targets with the arguments, or the constant's dtype and shape
};

/// In the order of their insertion; without q/dq where the run did not get to convert. Error (Format).
base::Result<std::vector<QParamsRow>> qparamsRows(const trace::RecordingPtr& recording);
Sheet qparamsSheet(const std::vector<QParamsRow>& rows);

} // namespace gb::numbers
