// Stage dumps (formats.md, section 3): what the graph was at each stage, as one JSON object.
//
// A dump is made from a recording and from nothing else, so one made from a recording file equals the one made from the
// live run. Keys, their presence and their order are those of the oracle's dump.py. The same recording gives the same
// bytes.
//
// Thread: pure functions; a Dump is an immutable value.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <memory>
#include <string>
#include <string_view>

namespace gb::io {

/// The dump on one line, with a line end. Errors (Format): the recording's edits do not fit its graphs, or its recipe
/// is no JSON; both can only happen with a recording from a file.
base::Result<std::string> dumpText(const trace::RecordingPtr& recording);

/// Writes the dump; the file appears as a whole or not at all. Errors also: Io.
base::Status writeDump(const trace::RecordingPtr& recording, const std::string& path);

struct DumpDocument;

/// A dump that was read: opaque, for io/dump_diff.h.
struct Dump {
    std::string place; ///< the file, for messages
    std::shared_ptr<const DumpDocument> document;
};

/// Checks format, version, and that stages hold graphs of named nodes. Errors: Format, Unsupported (another version).
base::Result<Dump> parseDump(std::string_view text, const std::string& place);
/// The same from a file. Errors also: Io.
base::Result<Dump> readDump(const std::string& path);

} // namespace gb::io
