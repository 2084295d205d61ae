// Times single batches: `bench_batches MODEL.pt2 RECIPE.json RUNS`, on the file's sample inputs.
// Prints two numbers a run, in milliseconds: the float model, and the prepared model with its observers recorded.
#include "engine/calibration.h"
#include "io/batches.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "passes/prepare.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace gb;

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

base::Status measure(const char* modelPath, const char* recipePath, int runs)
{
    GB_ASSIGN(const auto program, io::loadPt2(modelPath));
    GB_ASSIGN(const auto recipe, io::readRecipe(recipePath));
    GB_ASSIGN(const auto quantizer, quantizers::makeQuantizer(recipe));
    GB_ASSIGN(const auto samples, io::sampleBatches(program));
    ops::ValueList batch;
    for (const io::Leaf& leaf : samples[0])
        batch.emplace_back(std::get<ir::Tensor>(leaf)); // image models: tensors alone
    const auto kernels = ops::KernelTable::shared();
    const auto pool = std::make_shared<base::Pool>();
    const std::shared_ptr<ir::GraphModule> prepared = program.module->clone();
    trace::Recorder recorder(trace::Header{});
    recorder.snapshot(*prepared);
    prepared->setListener(&recorder);
    passes::PassContext context{recorder, *kernels, {}, pool.get()};
    passes::ScopeTable scopes;
    GB_TRY(passes::prepare(*prepared, *quantizer, {}, context, scopes));
    ops::Interpreter floatModel(program.module, kernels, pool);
    ops::Interpreter preparedModel(prepared, kernels, pool);
    for (int i = 0; i < runs; ++i) {
        auto start = std::chrono::steady_clock::now();
        GB_TRY(floatModel.run(batch, {}, nullptr));
        const double inFloat = millisecondsSince(start);
        start = std::chrono::steady_clock::now();
        GB_TRY(engine::runBatch(preparedModel, batch, i, recorder, {}));
        std::printf("%.3f %.3f\n", inFloat, millisecondsSince(start));
    }
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: bench_batches MODEL.pt2 RECIPE.json RUNS\n");
        return 2;
    }
    const base::Status done = measure(argv[1], argv[2], std::atoi(argv[3]));
    if (!done)
        std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return done ? 0 : 1;
}
