// What a search looks at: one row for every node that a recording ever had.
//
// Thread: values; made by a pure function, read from any thread.
#pragma once

#include "explain/explain.h"

namespace gb::explain {

struct SearchRow {
    ir::NodeId id = ir::kNoNode;
    std::string graph; ///< path of its sub-graph, empty for the top graph
    std::string name;
    std::string target;                 ///< "aten.conv2d.default"; of an observer its call_module target
    std::string op;                     ///< "call_function"
    std::string module;                 ///< path of the innermost module
    std::vector<std::string> modules;   ///< paths and types of all modules that it lies in
    std::vector<std::string> dtypes;    ///< of its tensor, and of the specs in its label
    std::vector<std::string> observers; ///< classes of its own observer, or of those that its label asks for
    std::vector<std::string> codes;     ///< R, O and C codes said of it
    bool labelled = false;
    bool isObserver = false;
    /// Of an observer node after calibration; several elements for a per-channel one.
    std::vector<double> scale;
    std::vector<double> zeroPoint;
    std::vector<double> minVal;
    std::vector<double> maxVal;
    std::optional<double> batches;
};

struct SearchIndex {
    std::vector<SearchRow> rows; ///< in the order in which the nodes came to be
};

/// Error as explain().
base::Result<SearchIndex> searchIndex(const trace::RecordingPtr& recording, const Answer& answer);

} // namespace gb::explain
