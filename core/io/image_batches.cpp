#include "io/image_batches.h"

#include <algorithm>
#include <filesystem>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::say;
using ir::Tensor;

/// What the model wants of an image.
struct Plan {
    std::int64_t batch = 1;
    std::int64_t channels = 3;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> mean;
    std::vector<double> deviation;
};

Result<std::vector<double>> perChannel(const std::vector<double>& given, std::int64_t channels, double otherwise,
                                       const char* setting)
{
    std::vector<double> out = given.empty() ? std::vector<double>{otherwise} : given;
    if (out.size() == 1)
        out.resize(static_cast<std::size_t>(channels), out[0]);
    if (static_cast<std::int64_t>(out.size()) != channels)
        return Error{ErrorCode::Usage, say("{0} values found, one or {1} expected", out.size(), channels), setting};
    return out;
}

Result<std::int64_t> sizeOf(const ir::Dim& dim, std::int64_t wanted, const char* setting)
{
    if (!dim.symbol.empty()) {
        if (wanted > 0)
            return wanted;
        return Error{ErrorCode::Usage, "no size given and the model takes any, height x width expected", setting};
    }
    if (wanted > 0 && wanted != dim.size)
        return Error{ErrorCode::Usage, say("{0} found, {1} expected, which is what the model takes", wanted, dim.size),
                     setting};
    return dim.size;
}

Result<Plan> planFor(const ImageSettings& settings, const ModelInput& input, const std::string& place)
{
    const ir::TensorMeta& meta = *input.meta.asTensor();
    const auto channels = meta.shape.size() == 4 ? meta.shape[1].size : 0;
    if (meta.shape.size() != 4 || meta.dtype != ir::DType::Float32 || (channels != 1 && channels != 3))
        return Error{ErrorCode::Shape,
                     say("input {0} is {1} with {2} dimensions, float32 [N, 1 or 3, height, width] expected for images",
                         input.name, ir::name(meta.dtype), meta.shape.size()),
                     place};
    Plan plan;
    plan.batch = meta.shape[0].symbol.empty() ? meta.shape[0].size : 1;
    plan.channels = channels;
    GB_ASSIGN(plan.height, sizeOf(meta.shape[2], settings.height, "image size, height"));
    GB_ASSIGN(plan.width, sizeOf(meta.shape[3], settings.width, "image size, width"));
    GB_ASSIGN(plan.mean, perChannel(settings.mean, channels, 0, "image mean"));
    GB_ASSIGN(plan.deviation, perChannel(settings.deviation, channels, 1, "image deviation"));
    if (std::ranges::find(plan.deviation, 0.0) != plan.deviation.end())
        return Error{ErrorCode::Usage, "0 found, another number expected", "image deviation"};
    return plan;
}

Result<std::vector<std::string>> imagesIn(const std::string& folder)
{
    std::vector<std::string> out;
    std::error_code problem;
    for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
        if (isImageName(at->path().string()))
            out.push_back(at->path().string());
    if (problem)
        return Error{ErrorCode::Io, problem.message(), folder};
    if (out.empty())
        return Error{ErrorCode::NotFound, "found no images, at least one expected (png, jpg, bmp, ppm, ...)", folder};
    std::ranges::sort(out);
    return out;
}

/// Puts an image at `to`, channel by channel.
void normalise(const Tensor& image, const Plan& plan, float* to)
{
    const auto* from = image.data<float>();
    const std::int64_t pixels = plan.height * plan.width;
    for (std::int64_t c = 0; c < plan.channels; ++c) {
        const auto mean = static_cast<float>(plan.mean[static_cast<std::size_t>(c)]);
        const auto deviation = static_cast<float>(plan.deviation[static_cast<std::size_t>(c)]);
        for (std::int64_t p = 0; p < pixels; ++p) {
            const float value = plan.channels == 1
                                    ? 0.299F * from[p] + 0.587F * from[pixels + p] + 0.114F * from[2 * pixels + p]
                                    : from[c * pixels + p];
            to[c * pixels + p] = (value - mean) / deviation;
        }
    }
}

} // namespace

Result<DataBatches> imageBatches(const DataSource& source, const Program& program, std::size_t input)
{
    GB_ASSIGN(const Plan plan, planFor(source.images, program.inputs[input], source.text));
    GB_ASSIGN(const std::vector<std::string> paths, imagesIn(source.text));
    const std::size_t perBatch = static_cast<std::size_t>(plan.batch);
    if (paths.size() < perBatch)
        return Error{ErrorCode::Shape,
                     say("found {0} images, at least {1} expected: one batch", paths.size(), perBatch), source.text};
    NamedTensors named;
    const std::int64_t size = plan.channels * plan.height * plan.width;
    for (std::size_t first = 0; first + perBatch <= paths.size(); first += perBatch) {
        Tensor batch = Tensor::zeros(ir::DType::Float32, {plan.batch, plan.channels, plan.height, plan.width});
        for (std::size_t i = 0; i < perBatch; ++i) {
            const std::string& path = paths[first + i];
            auto image = source.readImage(path, plan.height, plan.width);
            if (!image)
                return image.error().in(path);
            if (image->dtype() != ir::DType::Float32 || image->shape() != ir::Shape{3, plan.height, plan.width})
                return Error{
                    ErrorCode::Shape,
                    say("found {0}, float32 [3, {1}, {2}] expected", ir::describe(*image), plan.height, plan.width),
                    path};
            normalise(image->contiguous(), plan, batch.mutableData<float>() + static_cast<std::int64_t>(i) * size);
        }
        named.emplace_back(say("{0}.{1}", named.size(), input), std::move(batch));
    }
    DataBatches out;
    GB_ASSIGN(out.batches, batchesFrom(named, program, source.text));
    const std::size_t left = paths.size() % perBatch;
    out.sentence = message("{0} from the images in {1}", out.batches.size(), source.text);
    if (left > 0)
        out.notes.push_back(message("{0}: the last {1} of {2} images do not fill a batch of {3} and are left out",
                                    source.text, left, paths.size(), perBatch));
    return out;
}

} // namespace gb::io
