#include "io/random_batches.h"

#include "base/message.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace gb::io {
namespace {

using ir::DType;
using ir::Tensor;

class Generator {
public:
    explicit Generator(std::uint64_t seed)
        : m_engine(seed)
    {
    }
    /// In (0, 1].
    double uniform() { return static_cast<double>((m_engine() >> 11U) + 1) * 0x1p-53; }
    double normal()
    {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    std::mt19937_64 m_engine;
};

struct Bounds {
    double least = 0;
    double most = 1;
};

Bounds boundsOf(const Tensor* sample)
{
    if (!sample || sample->elementCount() == 0)
        return {};
    const std::vector<double> values = sample->toDoubles();
    const auto [least, most] = std::ranges::minmax(values);
    return {least, most};
}

base::Result<Tensor> randomTensor(const ModelInput& input, const Tensor* sample,
                                  std::map<std::string, std::int64_t>& symbols, Generator& generator)
{
    const ir::TensorMeta& meta = *input.meta.asTensor();
    const bool isFloat = ir::isFloatingPoint(meta.dtype) && ir::itemSize(meta.dtype) > 1;
    if (!isFloat && !ir::isInteger(meta.dtype) && meta.dtype != DType::Bool)
        return base::Error{
            base::ErrorCode::Unsupported,
            base::say("no random values for {0}, a float or integer input expected", ir::name(meta.dtype)), input.name};
    ir::Shape shape;
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        const ir::Dim& dim = meta.shape[i];
        const bool sampled = sample && i < sample->shape().size();
        const std::int64_t free = sampled ? sample->shape()[i] : 2;
        shape.push_back(dim.symbol.empty() ? dim.size : symbols.emplace(dim.symbol, free).first->second);
    }
    GB_ASSIGN(const std::int64_t count, ir::checkedElementCount(shape));
    const Bounds bounds = boundsOf(sample);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values)
        value = isFloat ? generator.normal()
                        : std::floor(bounds.least + (1 - generator.uniform()) * (bounds.most - bounds.least + 1));
    return Tensor::fromVector(values, shape).to(meta.dtype);
}

} // namespace

base::Result<std::vector<Batch>> randomBatches(const Program& program, std::uint64_t seed, std::int64_t count)
{
    Generator generator(seed);
    std::vector<Batch> out;
    for (std::int64_t b = 0; b < count; ++b) {
        Batch batch;
        std::map<std::string, std::int64_t> symbols;
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            const Leaf* sample = i < program.samples.size() ? &program.samples[i] : nullptr;
            if (!program.inputs[i].meta.asTensor()) {
                batch.push_back(sample ? *sample : Leaf());
                continue;
            }
            GB_ASSIGN(Tensor tensor, randomTensor(program.inputs[i], sample ? std::get_if<Tensor>(sample) : nullptr,
                                                  symbols, generator));
            batch.emplace_back(std::move(tensor));
        }
        out.push_back(std::move(batch));
    }
    return out;
}

} // namespace gb::io
