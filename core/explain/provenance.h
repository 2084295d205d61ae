// Where the label of a node came from: every write, oldest first.
//
// Thread: pure functions.
#pragma once

#include "base/message.h"
#include "trace/recording.h"

#include <string>
#include <vector>

namespace gb::explain {

/// A part of a label before and after a write: "input x", "output", "annotated", "allow_implicit_sharing", an extra
/// field. "—" stands for a part that is not there, "none" for a spec of None.
struct LabelChange {
    std::string part;
    std::string before;
    std::string after;
    friend bool operator==(const LabelChange&, const LabelChange&) = default;
};

struct LabelWrite {
    int event = -1;
    std::string quantizer; ///< its kind; empty where it was no quantizer (a pass that took the label over)
    std::string place;     ///< in a composable quantizer: "" or "0.1"
    std::string rule;
    std::string setting; ///< of the recipe: "global", "module_name net.conv1"
    trace::SourceLine source;
    std::vector<std::string> chain; ///< the nodes that matched, by name
    bool replaced = false;          ///< another annotation object was there and is gone
    std::vector<LabelChange> changes;
    base::Message sentence; ///< who wrote it, in which chain, and what it did to an older label
};

/// The writes to a node's label. `graph` is any moment of its graph, for names.
std::vector<LabelWrite> labelHistory(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node);

} // namespace gb::explain
