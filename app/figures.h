// Pictures of figures for the command line.
//
// Thread: the main thread, once.
#pragma once

#include "cli/command_line.h"

namespace gb::app {

/// Writes the figure's picture. Makes the application that painting needs; there is no window and no display. Errors:
/// Io, Usage.
base::Status paintFigure(const cli::FigureRequest& request);

} // namespace gb::app
