// The program: a verb on the command line, or the window.
#include "cli/command_line.h"

#ifdef GREENBOX_HAS_WINDOW
#include "diagrams.h"
#include "figures.h"
#include "launch.h"
#include "window/image_reader.h"
#endif

#include <algorithm>
#include <iostream>

int main(int argc, char** argv)
{
    using namespace gb;
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const cli::Console console{std::cout, std::cerr};
    cli::Hooks hooks;
#ifdef GREENBOX_HAS_WINDOW
    if (!cli::isCommandLine(arguments))
        return app::launch(argc, argv);
    hooks.exportDiagrams = app::exportDiagrams;
    hooks.paintFigure = app::paintFigure;
    hooks.readImage = app::readImage;
#else
    if (!cli::isCommandLine(arguments)) {
        std::cerr << "greenbox: this program was built without its window; a verb expected (see greenbox --help)\n";
        return cli::kUnusable;
    }
#endif
    return cli::runCommandLine(arguments, console, hooks);
}
