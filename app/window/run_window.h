// The program with a window: sets up the application and runs its event loop.
#pragma once

#include <string>
#include <vector>

namespace gb::app {

struct WindowArguments {
    std::string file;   ///< a model or a recording; empty: the start page
    std::string recipe; ///< empty: the default one
    std::string inputs;
    std::string check;     ///< a second set of batches, to measure errors on
    std::string calibrate; ///< positions of the batches that are run; empty: all
    std::string imageSize; ///< of a folder of images, "HEIGHTxWIDTH"; empty: what the model takes
    std::vector<double> imageMean;
    std::vector<double> imageDeviation;
    bool qat = false;
    std::string theme;  ///< "light", "dark", "high-contrast"; empty: the user's
    int scale = 0;      ///< of the whole window, in percent; 0: the user's
    std::string select; ///< name of a node to select when the run is shown
    std::string panel;  ///< object name of a panel to bring to the front
    std::vector<std::string> breakpoints;
    std::string search;     ///< what to search for when the run is shown
    std::string numbers;    ///< the tab of the numbers panel to show: errors, gains, batches, ...; empty: none
    std::string screenshot; ///< write a picture of the window to this file when the run is shown, and quit
};

/// Returns the process's exit status.
int runWindow(int& argc, char** argv, const WindowArguments& arguments);

} // namespace gb::app
