#include "cli/flow.h"

#include "base/message.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "numbers/batch_rows.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <limits>
#include <tuple>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

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

/// "HEIGHTxWIDTH"
Result<std::pair<std::int64_t, std::int64_t>> sizeOf(const std::string& text)
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    const char* end = text.data() + text.size();
    if (text.empty())
        return std::pair{height, width};
    const auto first = std::from_chars(text.data(), end, height);
    const bool cross = first.ec == std::errc() && first.ptr != end && *first.ptr == 'x';
    const auto second = cross ? std::from_chars(first.ptr + 1, end, width) : first;
    if (!cross || second.ec != std::errc() || second.ptr != end || height < 1 || width < 1)
        return Error{ErrorCode::Usage, say("found \"{0}\", HEIGHTxWIDTH expected (224x224)", text), "--image-size"};
    return std::pair{height, width};
}

/// What the figures are worked out from; null where there is no calibrated model.
numbers::MaterialPtr materialOf(const io::Program& program, const engine::RunResult& result,
                                const engine::RunOptions& run, std::vector<engine::Batch> batches,
                                std::vector<engine::Batch> check)
{
    if (!result.calibrated)
        return nullptr;
    auto out = std::make_shared<numbers::Material>();
    out->program = program.module;
    out->calibrated = result.calibrated;
    out->recording = result.recording;
    out->check = std::move(check);
    if (!run.calibrate) {
        out->calibration = std::move(batches);
        return out;
    }
    for (const std::int64_t position : *run.calibrate)
        out->calibration.push_back(batches[static_cast<std::size_t>(position)]);
    if (out->check.empty()) // errors are measured on everything that was given
        out->check = std::move(batches);
    return out;
}

} // namespace

void declareFlow(CLI::App& app, FlowOptions& options)
{
    app.add_option("MODEL", options.model, "a program that torch.export.save wrote (.pt2)")->required();
    app.add_option("--recipe", options.recipe, "which quantizer, with which settings (JSON)")->required();
    app.add_option("--inputs", options.inputs,
                   "calibration batches: an .npz, an .npy, a folder of images or random:SEED[:COUNT]; without it, the "
                   "sample inputs stored in the .pt2");
    app.add_option("--image-size", options.imageSize, "of a folder: HEIGHTxWIDTH; without it, what the model takes");
    app.add_option("--image-mean", options.imageMean, "of a folder: one number, or one a channel (0 to 1)")
        ->delimiter(',');
    app.add_option("--image-std", options.imageDeviation, "of a folder: one number, or one a channel")->delimiter(',');
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

Result<DataSet> readDataSet(const std::string& text, const FlowOptions& options, const io::Program& program)
{
    io::DataSource source{text, {0, 0, options.imageMean, options.imageDeviation}, options.readImage};
    GB_ASSIGN(const auto size, sizeOf(options.imageSize));
    std::tie(source.images.height, source.images.width) = size;
    auto read = io::readData(source, program);
    DataSet out;
    if (!read && text.empty()) { // a model without samples can still be labelled and prepared
        out.sentence = say("none: {0}", read.error().text());
        return out;
    }
    if (!read)
        return read.error();
    for (const auto& batch : read->batches)
        out.batches.push_back(batchOf(batch));
    out.sentence = read->sentence.text();
    for (const base::Message& note : read->notes)
        out.sentence += "; " + note.text();
    return out;
}

Result<FlowRun> runFlow(const FlowOptions& options, const base::Work& work)
{
    // its form before any file is read, which batches there are afterwards
    constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
    if (const auto form = numbers::positionsFrom(options.calibrate, kAny); !form)
        return form.error().in("--calibrate");
    GB_ASSIGN(quantizers::Recipe recipe, io::readRecipe(options.recipe));
    work.report(0, "load");
    GB_ASSIGN(const io::Program program, io::loadPt2(options.model));
    GB_ASSIGN(DataSet batches, readDataSet(options.inputs, options, program));
    auto calibrate = numbers::positionsFrom(options.calibrate, static_cast<std::int64_t>(batches.batches.size()));
    if (!calibrate)
        return calibrate.error().in("--calibrate");
    DataSet check;
    if (!options.check.empty()) {
        GB_ASSIGN(check, readDataSet(options.check, options, program));
    }
    engine::RunOptions run;
    run.isQat = options.mode == "qat";
    run.calibrate = std::move(*calibrate);
    run.foldQuantize = !options.noFoldQuantize;
    run.stopAfter = options.stopAfter;
    run.keepCalibrated = options.keepsMaterial;
    run.keepTimes = options.keepsTimes;
    run.producerVersion = GREENBOX_VERSION;
    FlowRun out{std::move(recipe), {}, std::move(batches.sentence), {}};
    out.result = engine::run({modelName(options.model), program.module, program.torchVersion}, out.recipe, run,
                             batches.batches, work);
    out.material = materialOf(program, out.result, run, std::move(batches.batches), std::move(check.batches));
    return out;
}

} // namespace gb::cli
