#include "io/data_source.h"

#include "io/image_batches.h"
#include "io/random_batches.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::say;
using ir::Tensor;

constexpr std::string_view kRandom = "random:";
constexpr std::int64_t kMostRandom = 10000;

Result<DataBatches> fromRandom(const std::string& text, const Program& program)
{
    std::string_view rest = std::string_view(text).substr(kRandom.size());
    std::uint64_t seed = 0;
    std::int64_t count = 1;
    const char* end = rest.data() + rest.size();
    auto [at, problem] = std::from_chars(rest.data(), end, seed);
    bool good = problem == std::errc();
    if (good && at != end && *at == ':') {
        const auto second = std::from_chars(at + 1, end, count);
        at = second.ptr;
        good = second.ec == std::errc();
    }
    if (!good || at != end || count < 1 || count > kMostRandom)
        return Error{ErrorCode::Usage,
                     say("found \"{0}\", random:SEED or random:SEED:COUNT with a count from 1 to {1} expected", text,
                         base::grouped(kMostRandom)),
                     {}};
    DataBatches out;
    GB_ASSIGN(out.batches, randomBatches(program, seed, count));
    out.sentence = message("{0} of random values, seed {1}", count, seed);
    return out;
}

/// The position of the only input that takes a tensor.
Result<std::size_t> onlyTensorInput(const Program& program, const std::string& place)
{
    std::size_t found = program.inputs.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        if (program.inputs[i].meta.asTensor()) {
            found = i;
            ++count;
        }
    if (count != 1)
        return Error{ErrorCode::Shape, say("found a model with {0} tensor inputs, one expected (or an .npz)", count),
                     place};
    return found;
}

/// The slices of `array` along its first dimension, `size` long each (0: one, and the dimension goes).
std::vector<Tensor> slices(const Tensor& array, std::int64_t size)
{
    const Tensor whole = array.contiguous();
    const std::int64_t step = std::max<std::int64_t>(size, 1);
    ir::Shape shape(whole.shape().begin() + (size == 0 ? 1 : 0), whole.shape().end());
    if (size > 0)
        shape[0] = size;
    const ir::Shape strides = ir::contiguousStrides(shape);
    std::vector<Tensor> out;
    for (std::int64_t i = 0; i + step <= whole.size(0); i += step)
        out.push_back(whole.asStrided(shape, strides, i * whole.strides()[0]));
    return out;
}

Result<DataBatches> fromArray(const std::string& path, const Program& program)
{
    GB_ASSIGN(const std::size_t input, onlyTensorInput(program, path));
    GB_ASSIGN(const Bytes bytes, mapFile(path));
    GB_ASSIGN(const Tensor array, readNpy(bytes, path));
    const ir::TensorMeta& meta = *program.inputs[input].meta.asTensor();
    const auto rank = static_cast<std::int64_t>(meta.shape.size());
    std::vector<Tensor> parts{array};
    std::int64_t left = 0;
    if (array.dim() == rank + 1) {
        parts = slices(array, 0);
    } else if (array.dim() == rank && rank > 0 && meta.shape[0].size > 0 && array.size(0) > meta.shape[0].size) {
        parts = slices(array, meta.shape[0].size);
        left = array.size(0) % meta.shape[0].size;
    }
    NamedTensors named;
    for (std::size_t i = 0; i < parts.size(); ++i)
        named.emplace_back(say("{0}.{1}", i, input), parts[i]);
    DataBatches out;
    GB_ASSIGN(out.batches, batchesFrom(named, program, path));
    out.sentence = message("{0} from {1}", out.batches.size(), path);
    if (left > 0)
        out.notes.push_back(message("{0}: the last {1} of {2} do not fill a batch of {3} and are left out", path, left,
                                    array.size(0), meta.shape[0].size));
    return out;
}

Result<DataBatches> fromFolder(const DataSource& source, const Program& program)
{
    GB_ASSIGN(const std::size_t input, onlyTensorInput(program, source.text));
    if (!source.readImage)
        return Error{ErrorCode::Usage, "found a folder, an .npz or .npy expected (this program reads no images)",
                     source.text};
    return imageBatches(source, program, input);
}

} // namespace

bool isImageName(const std::string& path)
{
    std::string ending = std::filesystem::path(path).extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr const char* kEndings[] = {".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".pgm", ".gif", ".webp"};
    return std::ranges::find(kEndings, ending) != std::end(kEndings);
}

Result<DataBatches> readData(const DataSource& source, const Program& program)
{
    if (source.text.empty()) {
        DataBatches out;
        GB_ASSIGN(out.batches, sampleBatches(program));
        out.sentence = message("{0}, the sample inputs stored in the .pt2 (no --inputs given)", out.batches.size());
        return out;
    }
    if (source.text.starts_with(kRandom))
        return fromRandom(source.text, program);
    std::error_code ignored;
    if (std::filesystem::is_directory(source.text, ignored))
        return fromFolder(source, program);
    if (source.text.ends_with(".npy"))
        return fromArray(source.text, program);
    DataBatches out;
    GB_ASSIGN(out.batches, readBatches(source.text, program));
    out.sentence = message("{0} from {1}", out.batches.size(), source.text);
    return out;
}

} // namespace gb::io
