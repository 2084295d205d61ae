// The command line: `greenbox VERB ...` (formats.md, sections 6 to 8). It needs no display, except that `export` paints
// with the window's own painter, which the program hands in.
//
// Thread: the main thread, once.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "cli/console.h"
#include "engine/node_times.h"
#include "io/data_source.h"
#include "numbers/figures.h"
#include "trace/recording.h"

#include <functional>
#include <string>
#include <vector>

namespace gb::cli {

/// How `export` is to look, as the user wrote it: the painter checks names and sizes.
struct ExportStyle {
    std::vector<std::string> select; ///< patterns; empty: the whole graph
    int radius = 1;
    std::string fold = "none"; ///< "none", "first", "all"
    std::string page;          ///< "16:9", "4:3", "A4", "254x190" (mm); empty: as large as the graph
    std::string theme = "print";
    std::string detail = "full"; ///< "full", "brief", "chips", "blocks"
    double scale = 2;            ///< PNG
    double minText = 14;         ///< points
    std::string caption;         ///< instead of model and stage
    bool noCaption = false;
    bool legend = false;
    bool noGhosts = false;
    bool noConstants = false;
    bool transparent = false;
    bool sideBySide = false;
    bool sharing = false;         ///< sharing groups as hulls
    bool notes = false;           ///< speaker notes beside the pictures
    std::string overlay;          ///< "scale", "bits", "range", "time", or a CSV file
    std::vector<double> viewport; ///< x, y, width, height in pixels at 100 %; empty: all
};

/// What `export` asks of the painter.
struct ExportRequest {
    trace::RecordingPtr recording;
    std::vector<std::string> stages; ///< in the order of the command line, all known and reached
    std::string out;                 ///< the file; its ending is svg, pdf, png, dot or json
    ExportStyle style = {};
    int firstStep = 0; ///< from 1: steps instead of stages; 0: none
    int lastStep = 0;
    std::string what = "graph"; ///< "graph", "histogram" or "why"; the last two of `node`
    std::string node;
    engine::NodeTimesPtr times = {}; ///< of the run, where the overlay is of times; null for a recording from a file
};

/// What the painter wrote.
struct ExportAnswer {
    std::vector<std::string> paths;
    std::vector<std::string> notes; ///< what the user should know: text too small for its page
};

/// What `numbers` asks of the painter.
struct FigureRequest {
    numbers::Figure figure;
    std::string title;
    std::string out; ///< the file; its ending is svg, pdf or png
    std::string theme = "print";
    double scale = 2; ///< PNG
};

/// What the command line cannot do itself, since it lies below the views.
struct Hooks {
    /// Paints and writes. Null where the program was built without views.
    std::function<base::Result<ExportAnswer>(const ExportRequest&, const base::Work&)> exportDiagrams;
    /// Paints a figure and writes it. Null where the program was built without views.
    std::function<base::Status(const FigureRequest&)> paintFigure = {};
    /// Reads images for calibration. Null where the program was built without views.
    io::ImageReader readImage = {};
};

/// True when the arguments (without the program's name) begin with a verb or ask for help or the version: then
/// runCommandLine has the program, else the window.
bool isCommandLine(const std::vector<std::string>& arguments);

/// Runs the verb. Prints to the console only. Returns the exit status.
int runCommandLine(const std::vector<std::string>& arguments, const Console& console, const Hooks& hooks);

} // namespace gb::cli
