// Which of the recipe's settings came to a node, in the order in which the quantizer took them.
//
// Thread: pure functions.
#pragma once

#include "trace/recording.h"

#include <string>
#include <vector>

namespace gb::explain {

struct CascadeEntry {
    enum class State : unsigned char {
        Wins,       ///< its rule wrote the label that the node has
        Overridden, ///< it wrote a label that a later one wrote over, or came when the node was marked already
        Refused,    ///< it reaches the node, but its rules refused it
        Excluded,   ///< its filter leaves the node out
    };
    std::string setting; ///< "module_name net.conv1", "global"; "all nodes" for what no setting controls
    std::string place;   ///< of the quantizer in a composable one
    State state = State::Excluded;
    std::string because; ///< what the last rule of it said of the node
    int event = -1;
};
/// "wins", "overridden", "refused", "excluded"
const char* name(CascadeEntry::State state);

/// Settings whose rules looked at the node; the others do not stand here.
std::vector<CascadeEntry> settingsCascade(const trace::Recording& recording, ir::NodeId node);

} // namespace gb::explain
