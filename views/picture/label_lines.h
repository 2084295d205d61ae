// The lines below a node: one for every input edge, one for the output where it is annotated.
//
// An input's line is found by the producer above observers and q/dq; a folded weight answers for the float one that the
// label names. One producer in several arguments has one label, so one line.
//
// Thread: pure functions.
#pragma once

#include "picture/node_text.h"

namespace gb::views {

std::vector<LabelLine> labelLines(const ir::Node& node, const NodeContext& context);

} // namespace gb::views
