// batch_norm in inference and in training, where it also moves the running statistics.
//
// Source: aten/src/ATen/native/Normalization.cpp (batch_norm_cpu_update_stats_template), cpu/batch_norm_kernel.cpp.
// Sums in the same order and precision, so that running statistics are torch's to the last bit (measured against torch
// 2.14.1 on a processor with fused multiply-add).
#include "ops/gemm/micro_kernel.h"
#include "ops/kernels/affine.h"
#include "ops/kernels/families.h"
#include "ops/strided.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using base::Status;
using ir::DType;
using ir::Tensor;

struct BatchNorm {
    Tensor input; ///< float32, contiguous
    DType dtype = DType::Float32;
    std::vector<float> weight;
    std::vector<float> bias;
    std::optional<Tensor> runningMean;
    std::optional<Tensor> runningVar;
    double momentum = 0.1;
    double eps = 1e-5;

    [[nodiscard]] std::int64_t channels() const { return input.size(1); }
    [[nodiscard]] std::int64_t perChannel() const { return channels() == 0 ? 0 : input.elementCount() / channels(); }
};

/// What normalises, and what training learns; one entry a channel.
struct Statistics {
    std::vector<float> mean;
    std::vector<float> inverse; ///< 1 / sqrt(variance + eps)
    std::vector<float> squares; ///< sum of squared distances from the mean; training only
};

Result<BatchNorm> read(const Call& call, std::size_t momentumAt, std::size_t epsAt, bool hasRunning)
{
    BatchNorm out;
    GB_ASSIGN(const Tensor input, call.tensor(0));
    GB_TRY(expectFloat(input, "batch norm input"));
    if (input.dim() < 2)
        return runtimeError("batch norm input {0}, two or more dimensions expected", ir::describe(input));
    out.dtype = input.dtype();
    out.input = input.to(DType::Float32).contiguous();
    GB_ASSIGN(const std::optional<Tensor> weight, call.maybeTensor(1));
    GB_ASSIGN(const std::optional<Tensor> bias, call.maybeTensor(2));
    GB_ASSIGN(out.weight, channelValues(weight, out.channels(), 1.0F, "batch norm weight"));
    GB_ASSIGN(out.bias, channelValues(bias, out.channels(), 0.0F, "batch norm bias"));
    if (hasRunning) {
        GB_ASSIGN(out.runningMean, call.maybeTensor(3));
        GB_ASSIGN(out.runningVar, call.maybeTensor(4));
    }
    GB_ASSIGN(out.momentum, call.real(momentumAt));
    GB_ASSIGN(out.eps, call.real(epsAt));
    return out;
}

/// batch_norm_cpu_collect_stats_contiguous_impl: sums in double, distances in float
void sumImages(const BatchNorm& norm, std::int64_t c, Statistics& out)
{
    const std::int64_t size = norm.perChannel() / std::max<std::int64_t>(1, norm.input.size(0));
    const auto forEach = [&](const auto& visit) {
        for (std::int64_t n = 0; n < norm.input.size(0); ++n) {
            const float* values = norm.input.data<float>() + (n * norm.channels() + c) * size;
            for (std::int64_t i = 0; i < size; ++i)
                visit(values[i]);
        }
    };
    double sum = 0;
    forEach([&](float x) { sum += static_cast<double>(x); });
    const auto mean = static_cast<float>(sum / static_cast<double>(norm.perChannel()));
    double squares = 0;
    forEach([&](float x) {
        const float distance = x - mean;
        squares += static_cast<double>(distance * distance);
    });
    out.mean[static_cast<std::size_t>(c)] = mean;
    out.squares[static_cast<std::size_t>(c)] = static_cast<float>(squares);
}

/// Threads that torch shares rows among. Its sums hang on their number; here it is always this one.
constexpr std::int64_t kThreads = 2;

/// batch_norm_cpu_collect_stats_channels_last_impl: each thread sums its rows in float, then these sums are added in
/// double.
void sumRows(const BatchNorm& norm, Statistics& out)
{
    const MicroKernel& kernel = bestMicroKernel();
    const std::int64_t rows = norm.input.size(0);
    const std::int64_t channels = norm.channels();
    const std::int64_t share = (rows + kThreads - 1) / kThreads;
    const auto total = [&](const auto& add) {
        std::vector<double> sums(static_cast<std::size_t>(channels), 0.0);
        for (std::int64_t first = 0; first < rows; first += share) {
            std::vector<float> part(static_cast<std::size_t>(channels), 0.0F);
            for (std::int64_t row = first; row < std::min(rows, first + share); ++row)
                add(norm.input.data<float>() + row * channels, part);
            for (std::size_t c = 0; c < sums.size(); ++c)
                sums[c] += static_cast<double>(part[c]);
        }
        return sums;
    };
    const std::vector<double> sums = total([](const float* x, std::vector<float>& part) {
        for (std::size_t c = 0; c < part.size(); ++c)
            part[c] += x[c];
    });
    for (std::size_t c = 0; c < sums.size(); ++c)
        out.mean[c] = static_cast<float>(sums[c] / static_cast<double>(rows));
    std::vector<float> distance(static_cast<std::size_t>(channels));
    const std::vector<double> squares = total([&](const float* x, std::vector<float>& part) {
        for (std::size_t c = 0; c < part.size(); ++c)
            distance[c] = x[c] - out.mean[c];
        kernel.multiplyAdd(distance.data(), distance.data(), part.data(), part.data(), channels);
    });
    for (std::size_t c = 0; c < squares.size(); ++c)
        out.squares[c] = static_cast<float>(squares[c]);
}

Statistics batchStatistics(const Context& context, const BatchNorm& norm)
{
    const auto channels = static_cast<std::size_t>(norm.channels());
    Statistics out{std::vector<float>(channels), std::vector<float>(channels), std::vector<float>(channels)};
    const std::int64_t count = norm.perChannel();
    if (count == norm.input.size(0) && count > kThreads)
        sumRows(norm, out);
    else
        context.forEachChunk(norm.channels(),
                             std::max<std::int64_t>(1, kElementGrain / std::max<std::int64_t>(1, count)),
                             [&](std::int64_t begin, std::int64_t end) {
                                 for (std::int64_t c = begin; c < end; ++c)
                                     sumImages(norm, c, out);
                             });
    for (std::size_t c = 0; c < channels; ++c)
        out.inverse[c] = static_cast<float>(
            1.0 / std::sqrt(static_cast<double>(out.squares[c] / static_cast<float>(count)) + norm.eps));
    return out;
}

/// The four arrays of `channels` floats of y = a * b + c, rounded once where the processor can.
std::vector<float> multiplyAdd(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c)
{
    std::vector<float> out(c.size());
    bestMicroKernel().multiplyAdd(a.data(), b.data(), c.data(), out.data(), static_cast<std::int64_t>(out.size()));
    return out;
}

Result<std::vector<float>> runningValues(const Tensor& running, std::size_t channels)
{
    if (running.elementCount() != static_cast<std::int64_t>(channels))
        return runtimeError("running statistics {0}, {1} elements expected", ir::describe(running), channels);
    return channelValues(running, static_cast<std::int64_t>(channels), 0.0F, "running statistics");
}

/// batch_norm_cpu_update_stats_template: in float; the mean rounds each product, the variance is fused
Status moveRunning(const Context& context, const BatchNorm& norm, const Statistics& fresh)
{
    const auto momentum = static_cast<float>(norm.momentum);
    const float rest = 1.0F - momentum;
    const std::size_t channels = fresh.mean.size();
    if (norm.runningMean) {
        GB_ASSIGN(std::vector<float> mean, runningValues(*norm.runningMean, channels));
        for (std::size_t c = 0; c < channels; ++c)
            mean[c] = momentum * fresh.mean[c] + rest * mean[c];
        GB_TRY(copyInto(context, *norm.runningMean, Tensor::fromVector(mean, norm.runningMean->shape())));
    }
    if (!norm.runningVar)
        return {};
    GB_ASSIGN(std::vector<float> variance, runningValues(*norm.runningVar, channels));
    const auto others = static_cast<float>(norm.perChannel() - 1);
    std::vector<float> unbiased(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        unbiased[c] = fresh.squares[c] / others;
        variance[c] *= rest;
    }
    variance = multiplyAdd(std::vector<float>(channels, momentum), unbiased, variance);
    return copyInto(context, *norm.runningVar, Tensor::fromVector(variance, norm.runningVar->shape()));
}

Result<Tensor> normalise(const Context& context, const BatchNorm& norm, const Statistics& statistics)
{
    const auto channels = static_cast<std::size_t>(norm.channels());
    std::vector<float> scale(channels);
    std::vector<float> negated(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        scale[c] = statistics.inverse[c] * norm.weight[c];
        negated[c] = -statistics.mean[c];
    }
    const std::vector<float> shift = multiplyAdd(negated, scale, norm.bias);
    GB_ASSIGN(const Tensor out, channelAffine(context, norm.input, scale, shift));
    return out.to(norm.dtype);
}

Result<Statistics> runningStatistics(const BatchNorm& norm)
{
    if (!norm.runningMean || !norm.runningVar)
        return runtimeError("no running statistics, running_mean and running_var expected in inference");
    Statistics out;
    GB_ASSIGN(out.mean, channelValues(norm.runningMean, norm.channels(), 0.0F, "running_mean"));
    GB_ASSIGN(const std::vector<float> variance, channelValues(norm.runningVar, norm.channels(), 1.0F, "running_var"));
    for (const float value : variance)
        out.inverse.push_back(1.0F / std::sqrt(value + static_cast<float>(norm.eps)));
    return out;
}

Result<Statistics> trainingStatistics(const Context& context, const BatchNorm& norm)
{
    Statistics out = batchStatistics(context, norm);
    GB_TRY(moveRunning(context, norm, out));
    return out;
}

Tensor vectorOf(const std::vector<float>& values)
{
    return Tensor::fromVector(values);
}

Result<Value> batchNorm(const Call& call)
{
    GB_ASSIGN(const BatchNorm norm, read(call, 6, 7, true));
    GB_ASSIGN(const bool training, call.boolean(5, false));
    GB_ASSIGN(const Statistics statistics,
              training ? trainingStatistics(call.context(), norm) : runningStatistics(norm));
    GB_ASSIGN(Tensor out, normalise(call.context(), norm, statistics));
    return Value(std::move(out));
}

/// (output, mean, 1 / deviation) of the batch; the last two are empty in inference.
Result<Value> nativeBatchNorm(const Call& call)
{
    GB_ASSIGN(const BatchNorm norm, read(call, 6, 7, true));
    GB_ASSIGN(const bool training, call.boolean(5, false));
    GB_ASSIGN(const Statistics statistics,
              training ? trainingStatistics(call.context(), norm) : runningStatistics(norm));
    GB_ASSIGN(Tensor out, normalise(call.context(), norm, statistics));
    if (!training)
        return Value(ValueList{out, Tensor(), Tensor()});
    return Value(ValueList{out, vectorOf(statistics.mean), vectorOf(statistics.inverse)});
}

Result<Value> nativeNoTraining(const Call& call)
{
    GB_ASSIGN(const BatchNorm norm, read(call, 5, 6, true));
    GB_ASSIGN(const Statistics statistics, runningStatistics(norm));
    GB_ASSIGN(Tensor out, normalise(call.context(), norm, statistics));
    return Value(ValueList{out, Tensor(), Tensor()});
}

Result<Value> nativeNoStats(const Call& call)
{
    GB_ASSIGN(const BatchNorm norm, read(call, 4, 5, false));
    GB_ASSIGN(const Statistics statistics, trainingStatistics(call.context(), norm));
    GB_ASSIGN(Tensor out, normalise(call.context(), norm, statistics));
    return Value(ValueList{out, vectorOf(statistics.mean), vectorOf(statistics.inverse)});
}

const KernelRow kRows[] = {
    {"aten.batch_norm.default", batchNorm,
     "input weight bias running_mean running_var training momentum eps cudnn_enabled"},
    {"aten.native_batch_norm.default", nativeBatchNorm,
     "input weight bias running_mean running_var training momentum eps"},
    {"aten._native_batch_norm_legit.default", nativeBatchNorm,
     "input weight bias running_mean running_var training momentum eps"},
    {"aten._native_batch_norm_legit.no_stats", nativeNoStats, "input weight bias training momentum eps"},
    {"aten._native_batch_norm_legit_no_training.default", nativeNoTraining,
     "input weight bias running_mean running_var momentum eps"},
};

} // namespace

std::span<const KernelRow> batchNormKernels()
{
    return kRows;
}

} // namespace gb::ops
