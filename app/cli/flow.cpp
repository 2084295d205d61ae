#include "cli/flow.h"

#include "base/message.h"
#include "io/batches.h"
#include "io/pt2.h"
#include "io/recipe.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

/// "0,2,5" or "none"; absent for an empty text.
Result<std::optional<std::vector<std::int64_t>>> positionsOf(const std::string& text)
{
    using Positions = std::optional<std::vector<std::int64_t>>;
    if (text.empty())
        return Positions();
    std::vector<std::int64_t> out;
    if (text == "none")
        return Positions(std::move(out));
    std::string_view rest = text;
    while (true) {
        const std::string_view piece = rest.substr(0, rest.find(','));
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
        if (error != std::errc() || end != piece.data() + piece.size() || value < 0)
            return Error{ErrorCode::Usage, say("found \"{0}\", positions of batches (0,2,...) or none expected", text),
                         "--calibrate"};
        out.push_back(value);
        if (piece.size() == rest.size())
            return Positions(std::move(out));
        rest.remove_prefix(piece.size() + 1);
    }
}

std::string modelName(const std::string& path)
{
    const std::filesystem::path name = std::filesystem::path(path).filename();
    return name.extension() == ".pt2" ? name.stem().string() : name.string();
}

ops::Value valueOf(const io::Leaf& leaf)
{
    return std::visit(
        []<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::monostate>)
                return ops::Value();
            else
                return ops::Value(v);
        },
        leaf);
}

engine::Batch batchOf(const std::vector<io::Leaf>& leaves)
{
    engine::Batch out;
    for (const io::Leaf& leaf : leaves)
        out.push_back(valueOf(leaf));
    return out;
}

struct Batches {
    std::vector<engine::Batch> batches;
    std::string sentence;
};

Result<Batches> readBatches(const FlowOptions& options, const io::Program& program)
{
    Batches out;
    if (!options.inputs.empty()) {
        GB_ASSIGN(const auto read, io::readBatches(options.inputs, program));
        for (const auto& batch : read)
            out.batches.push_back(batchOf(batch));
        out.sentence = say("{0} from {1}", out.batches.size(), options.inputs);
    } else if (const auto samples = io::sampleBatches(program)) {
        for (const auto& batch : *samples)
            out.batches.push_back(batchOf(batch));
        out.sentence = say("{0}, the sample inputs stored in the .pt2 (no --inputs given)", out.batches.size());
    } else {
        out.sentence = say("none: {0}", samples.error().text());
    }
    return out;
}

} // namespace

void declareFlow(CLI::App& app, FlowOptions& options)
{
    app.add_option("MODEL", options.model, "a program that torch.export.save wrote (.pt2)")->required();
    app.add_option("--recipe", options.recipe, "which quantizer, with which settings (JSON)")->required();
    app.add_option("--inputs", options.inputs,
                   "calibration batches (.npz); without it, the sample inputs stored in the .pt2");
    app.add_option("--mode", options.mode, "ptq or qat")->check(CLI::IsMember({"ptq", "qat"}))->capture_default_str();
    app.add_option("--calibrate", options.calibrate, "positions of the batches to calibrate on (0,2,...), or none");
    app.add_flag("--no-fold-quantize", options.noFoldQuantize, "convert without folding quantize into constants");
}

const std::vector<std::string>& stageNames()
{
    static const std::vector<std::string> kStages = {"exported", "folded",     "annotated",
                                                     "prepared", "calibrated", "converted"};
    return kStages;
}

Result<FlowRun> runFlow(const FlowOptions& options, const base::Work& work)
{
    GB_ASSIGN(auto calibrate, positionsOf(options.calibrate));
    GB_ASSIGN(quantizers::Recipe recipe, io::readRecipe(options.recipe));
    work.report(0, "load");
    GB_ASSIGN(const io::Program program, io::loadPt2(options.model));
    GB_ASSIGN(Batches batches, readBatches(options, program));
    engine::RunOptions run;
    run.isQat = options.mode == "qat";
    run.calibrate = std::move(calibrate);
    run.foldQuantize = !options.noFoldQuantize;
    run.stopAfter = options.stopAfter;
    run.producerVersion = GREENBOX_VERSION;
    FlowRun out{std::move(recipe), {}, std::move(batches.sentence)};
    out.result = engine::run({modelName(options.model), program.module, program.torchVersion}, out.recipe, run,
                             batches.batches, work);
    return out;
}

} // namespace gb::cli
