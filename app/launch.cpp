#include "launch.h"

#include "cli/console.h"
#include "window/run_window.h"

#include <CLI/CLI.hpp>

namespace gb::app {

int launch(int& argc, char** argv)
{
    CLI::App app("Greenbox shows PT2E quantization step by step.", "greenbox");
    WindowArguments arguments;
    std::string mode = "ptq";
    app.allow_extras(); // Qt's own options (-platform, -style)
    app.add_option("FILE", arguments.file, "a model (.pt2) or a recording");
    app.add_option("--recipe", arguments.recipe, "which quantizer, with which settings (JSON)");
    app.add_option("--inputs", arguments.inputs,
                   "calibration batches: an .npz, an .npy, a folder of images or random:SEED[:COUNT]");
    app.add_option("--check", arguments.check, "a second set of batches to measure errors on (as --inputs)");
    app.add_option("--calibrate", arguments.calibrate, "positions of the batches to calibrate on (0,2,...), or none");
    app.add_option("--image-size", arguments.imageSize, "of a folder: HEIGHTxWIDTH; without it, what the model takes")
        ->check([](const std::string& text) {
            return text.find_first_not_of("0123456789x") == std::string::npos && text.find('x') != std::string::npos
                       ? std::string()
                       : std::string("HEIGHTxWIDTH expected");
        });
    app.add_option("--image-mean", arguments.imageMean, "of a folder: one number, or one a channel (0 to 1)")
        ->delimiter(',');
    app.add_option("--image-std", arguments.imageDeviation, "of a folder: one number, or one a channel")
        ->delimiter(',');
    app.add_option("--mode", mode, "ptq or qat")->check(CLI::IsMember({"ptq", "qat"}));
    app.add_option("--theme", arguments.theme, "light, dark, high-contrast or print")
        ->check(CLI::IsMember({"light", "dark", "high-contrast", "print"}));
    app.add_option("--ui-scale", arguments.scale, "size of texts and panels in percent, 80 to 200")
        ->check(CLI::Range(80, 200));
    app.add_option("--select", arguments.select, "a node to select when the run is shown");
    app.add_option("--panel", arguments.panel, "a panel to bring to the front: why, problems, coverage, sharing, ...");
    app.add_option("--break", arguments.breakpoints,
                   "a breakpoint: node:conv2d, op:conv*, reason:R5, scale<0.001, ...");
    app.add_option("--search", arguments.search, "what to search for, as in the window");
    app.add_option("--numbers", arguments.numbers, "show this tab of the numbers panel")
        ->check(CLI::IsMember(
            {"errors", "gains", "batches", "search", "zoo", "channels", "qparams", "storage", "parting", "hand"}));
    app.add_option("--screenshot", arguments.screenshot, "write a picture of the window and quit");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? cli::kDone : cli::kUnusable;
    }
    arguments.qat = mode == "qat";
    return runWindow(argc, argv, arguments);
}

} // namespace gb::app
