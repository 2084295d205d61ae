// The command line: `greenbox VERB ...` (formats.md, sections 6 to 8). It needs no display, except that `export` paints
// with the window's own painter, which the program hands in.
//
// Thread: the main thread, once.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "cli/console.h"
#include "io/data_source.h"
#include "trace/recording.h"

#include <functional>
#include <string>
#include <vector>

namespace gb::cli {

/// What `export` asks of the painter.
struct ExportRequest {
    trace::RecordingPtr recording;
    std::vector<std::string> stages; ///< in the order of the command line, all known and reached
    std::string out;                 ///< the file; its ending is svg, pdf, png or dot
};

/// What the command line cannot do itself, since it lies below the views.
struct Hooks {
    /// Paints and writes; returns the paths that it wrote. Null where the program was built without views.
    std::function<base::Result<std::vector<std::string>>(const ExportRequest&, const base::Work&)> exportDiagrams;
    /// Reads images for calibration. Null where the program was built without views.
    io::ImageReader readImage = {};
};

/// True when the arguments (without the program's name) begin with a verb or ask for help or the version: then
/// runCommandLine has the program, else the window.
bool isCommandLine(const std::vector<std::string>& arguments);

/// Runs the verb. Prints to the console only. Returns the exit status.
int runCommandLine(const std::vector<std::string>& arguments, const Console& console, const Hooks& hooks);

} // namespace gb::cli
