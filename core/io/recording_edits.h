// Edits of a recording as JSON and back (grammar: io/recording.h).
//
// Internal to io. Thread: as ValueWriter and ValueReader.
#pragma once

#include "io/recording_values.h"

namespace gb::io {

Json editJson(const trace::Edit& edit, ValueWriter& values);
/// Errors: Format; Unsupported for an edit that this version does not know: without it no later graph is right.
base::Result<trace::Edit> readEdit(const JsonCursor& at, ValueReader& values);

} // namespace gb::io
