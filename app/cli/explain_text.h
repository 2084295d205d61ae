// What `explain` prints for people.
//
// Thread: the main thread.
#pragma once

#include "explain/report.h"

#include <iosfwd>

namespace gb::cli {

/// Which parts of a report are wanted besides the reasons.
struct ExplainParts {
    bool coverage = false;
    bool sharing = false;
    bool ledger = false;
};

void printExplain(const explain::Answer& answer, const trace::Header& header, std::ostream& out);
void printParts(const explain::Report& report, const ExplainParts& parts, std::ostream& out);
/// The history of a node's label, and the settings that came to it.
void printHistory(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node, std::ostream& out);

} // namespace gb::cli
