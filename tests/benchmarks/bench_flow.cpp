// Times annotate + prepare + convert (no calibration) of one model: `bench_flow MODEL.pt2 RECIPE.json RUNS`.
// Prints one number a run, in milliseconds. The program is loaded once; each run works on a fresh copy and records.
#include "engine/run.h"
#include "io/pt2.h"
#include "io/recipe.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    using namespace gb;
    if (argc != 4) {
        std::fprintf(stderr, "usage: bench_flow MODEL.pt2 RECIPE.json RUNS\n");
        return 2;
    }
    const auto program = io::loadPt2(argv[1]);
    const auto recipe = io::readRecipe(argv[2]);
    if (!program.ok() || !recipe.ok()) {
        std::fprintf(stderr, "%s\n", (program.ok() ? recipe.error() : program.error()).text().c_str());
        return 2;
    }
    engine::RunOptions options;
    options.calibrate = std::vector<std::int64_t>{};
    for (int i = 0; i < std::atoi(argv[3]); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const engine::RunResult result =
            engine::run({"model", program->module, program->torchVersion}, *recipe, options, {});
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (result.error) {
            std::fprintf(stderr, "%s\n", result.error->text().c_str());
            return 1;
        }
        std::printf("%.3f\n", took.count());
    }
    return 0;
}
