// The answer of `explain --json` (formats.md, section 8).
//
// Thread: pure function.
#pragma once

#include "explain/explain.h"

#include <string>

namespace gb::cli {

/// One line, with a line end.
std::string explainJson(const explain::Answer& answer, const trace::Header& header);

} // namespace gb::cli
