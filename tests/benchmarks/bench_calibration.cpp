// Times calibration with and without what is recorded of each batch:
// `bench_calibration MODEL.pt2 RECIPE.json BATCHES RUNS`. Prints the processor time of both, a line a run; the
// batches are the sample inputs, given several times.
#include "engine/calibrated.h"
#include "engine/calibration.h"
#include "engine/run.h"
#include "io/batches.h"
#include "io/recipe.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace gb;

namespace {

ops::Value valueOf(const io::Leaf& leaf)
{
    const auto* tensor = std::get_if<ir::Tensor>(&leaf);
    return tensor ? ops::Value(*tensor) : ops::Value();
}

/// Of the processor, in all threads: a busy machine does not count.
double millisecondsOf(const std::function<void()>& work)
{
    const std::clock_t start = std::clock();
    work();
    return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The calibrated model with new observers in the place of those that a run filled.
std::shared_ptr<ir::GraphModule> freshCopy(const ir::GraphModule& calibrated)
{
    auto out = calibrated.clone();
    for (const auto& [target, module] : calibrated.modules())
        out->setModule(target, std::dynamic_pointer_cast<quant::Observer>(module)->copy());
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: bench_calibration MODEL.pt2 RECIPE.json BATCHES RUNS\n");
        return 2;
    }
    const auto program = io::loadPt2(argv[1]);
    const auto recipe = io::readRecipe(argv[2]);
    if (!program.ok() || !recipe.ok()) {
        std::fprintf(stderr, "%s\n", (program.ok() ? recipe.error() : program.error()).text().c_str());
        return 2;
    }
    engine::Batch batch;
    for (const io::Leaf& leaf : program->samples)
        batch.push_back(valueOf(leaf));
    engine::RunOptions options;
    options.stopAfter = "calibrated";
    options.keepCalibrated = true;
    const auto run = engine::run({"model", program->module, program->torchVersion}, *recipe, options, {batch});
    if (run.error) {
        std::fprintf(stderr, "%s\n", run.error->text().c_str());
        return 1;
    }
    const auto kernels = ops::KernelTable::shared();
    for (int i = 0; i < std::atoi(argv[4]); ++i) {
        ops::Interpreter plain(freshCopy(*run.calibrated->module), kernels);
        ops::Interpreter recorded(freshCopy(*run.calibrated->module), kernels);
        trace::Recorder recorder({});
        double times[2] = {0, 0};
        for (int b = 0; b < std::atoi(argv[3]); ++b) {
            times[0] += millisecondsOf([&] { static_cast<void>(plain.run(batch)); });
            times[1] += millisecondsOf([&] { static_cast<void>(engine::runBatch(recorded, batch, b, recorder, {})); });
        }
        std::printf("plain %.1f recorded %.1f (%+.1f %%)\n", times[0], times[1], 100 * (times[1] / times[0] - 1));
    }
    return 0;
}
