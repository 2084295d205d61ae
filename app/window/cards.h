// The cards of a node: the histogram of its observer, and why it has no label.
//
// Thread: the UI thread.
#pragma once

#include "export/card.h"
#include "ir/spec.h"
#include "session/explanation.h"
#include "session/session.h"

namespace gb::app {

/// Error: NotFound where no observer serves the node.
base::Result<views::Card> histogramCardOf(views::Session& session, ir::NodeId node);
/// Error: NotFound where nothing is said of the node.
base::Result<views::Card> whyCardOf(views::Session& session, const views::Explanation& explanation, ir::NodeId node);

} // namespace gb::app
