// The answer of `explain --json` (formats.md, section 8).
//
// Thread: pure function.
#pragma once

#include "cli/explain_text.h"
#include "explain/report.h"

#include <string>

namespace gb::cli {

/// One line, with a line end. `answer` is the report's, or a part of it; the parts asked for get a key of their own.
std::string explainJson(const explain::Answer& answer, const trace::Header& header, const explain::Report& report,
                        const ExplainParts& parts);

} // namespace gb::cli
