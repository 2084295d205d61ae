// `greenbox export`: the window's painter for the command line.
//
// Thread: the main thread.
#pragma once

#include "cli/command_line.h"

namespace gb::app {

/// Paints the stages and writes the files; returns their paths and what the user should know. Needs no display. Errors:
/// as views::exportDiagram and views::writeDiagrams.
base::Result<cli::ExportAnswer> exportDiagrams(const cli::ExportRequest& request, const base::Work& work);

} // namespace gb::app
