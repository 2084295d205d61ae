// How the program opens its window.
//
// Thread: the main thread.
#pragma once

namespace gb::app {

/// `greenbox [FILE] [--recipe R] [--inputs I] [--mode ptq|qat] [--theme T] [--screenshot F]`: opens the window, on a
/// model or a recording where there is one. Returns the exit status: 2 for bad usage.
int launch(int& argc, char** argv);

} // namespace gb::app
