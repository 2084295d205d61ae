// What the inspector says of a node, as rows of text: who it is, its labels, and what it holds.
//
// Thread: pure functions of immutable values (the texts are translated).
#pragma once

#include "trace/replay.h"

#include <QString>

#include <vector>

namespace gb::views {

/// Something that a row leads to: a node to select, or an event to go to.
struct FactLink {
    QString text;
    ir::NodeId node = ir::kNoNode;
    int event = -1; ///< -1: none
};

struct Fact {
    QString section; ///< "Node", "Labels", "Observer", "Attribute", ...
    QString name;
    QString text;                ///< where there are links, their texts joined
    std::vector<FactLink> links; ///< empty for plain text
};

struct NodeFacts {
    QString name;         ///< empty: no such node in the recording
    QString role;         ///< "op", "observer", "quantize", "weight", ...
    bool present = false; ///< in the graph at this moment
    std::vector<Fact> facts;
    QString stackTrace;
};

/// The node of a number at a moment, which is the one of event `cursor`. A node that is gone, or not there yet, says
/// which event took or makes it.
NodeFacts nodeFacts(const trace::Recording& recording, const trace::Moment& moment, int cursor, ir::NodeId id);

/// "Node\n  name: conv2d\n ..." : the rows as indented text, for the clipboard and for tests.
QString plainText(const NodeFacts& facts);

/// The newest row of a node that the recording has, however long it has been gone.
const trace::NodeRow* rowOf(const trace::Recording& recording, ir::NodeId id);

} // namespace gb::views
