// Why a node has its label, or none: code, verdict, sentence, and the events that decided it.
//
// Codes and verdicts are those of the reason vocabulary (R1 to R18).
//
// Thread: pure functions of immutable values.
#pragma once

#include "trace/replay.h"

#include <QString>

#include <string>
#include <vector>

namespace gb::views {

struct Reason {
    ir::NodeId node = ir::kNoNode;
    std::string graph; ///< path
    QString name;
    QString target;
    bool labelled = false;
    QString code;    ///< "R5"; empty where the node is labelled
    QString verdict; ///< "by design"; translated
    QString sentence;
};

/// Every call_function node without a label at `annotated`, the moment after annotate; graph order, the top graph first.
std::vector<Reason> unlabelledNodes(const trace::Recording& recording, const trace::Moment& annotated);
/// The same for one node, labelled or not. A node that is not in the moment gives an empty sentence.
Reason reasonOf(const trace::Recording& recording, const trace::Moment& annotated, ir::NodeId node);

/// The events that touched a node: labels written, attempts, and what passes did to it; ascending.
std::vector<int> eventsOf(const trace::Recording& recording, ir::NodeId node);
/// The event that erased a node, -1 where none did.
int erasedBy(const trace::Recording& recording, ir::NodeId node);

} // namespace gb::views
