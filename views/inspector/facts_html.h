// The facts as rich text: sections, rows, links "node:12" and "event:61". Everything from the model is escaped.
//
// Thread: pure functions.
#pragma once

#include "inspector/node_facts.h"
#include "theme/theme.h"

namespace gb::views {

QString factsHtml(const NodeFacts& facts, const Theme& theme);

} // namespace gb::views
