// batch_norm in inference and in training, where it also moves the running statistics.
//
// Source: aten/src/ATen/native/Normalization.cpp (batch_norm_cpu_update_stats_template), cpu/batch_norm_kernel.cpp.
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

struct Statistics {
    std::vector<float> mean;
    std::vector<float> inverse; ///< 1 / sqrt(variance + eps)
    std::vector<double> variance;
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

Statistics batchStatistics(const BatchNorm& norm)
{
    const std::int64_t channels = norm.channels();
    const std::int64_t size = norm.perChannel() / std::max<std::int64_t>(1, norm.input.size(0));
    Statistics out;
    for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::int64_t n = 0; n < norm.input.size(0); ++n) {
            const float* values = norm.input.data<float>() + (n * channels + c) * size;
            for (std::int64_t i = 0; i < size; ++i)
                sum += static_cast<double>(values[i]);
        }
        const auto mean = static_cast<float>(sum / static_cast<double>(norm.perChannel()));
        double squares = 0;
        for (std::int64_t n = 0; n < norm.input.size(0); ++n) {
            const float* values = norm.input.data<float>() + (n * channels + c) * size;
            for (std::int64_t i = 0; i < size; ++i) {
                const double distance = static_cast<double>(values[i]) - static_cast<double>(mean);
                squares += distance * distance;
            }
        }
        out.mean.push_back(mean);
        out.variance.push_back(squares / static_cast<double>(norm.perChannel()));
        out.inverse.push_back(static_cast<float>(1.0 / std::sqrt(out.variance.back() + norm.eps)));
    }
    return out;
}

Status moveRunning(const Context& context, const std::optional<Tensor>& running, const std::vector<double>& fresh,
                   double momentum)
{
    if (!running)
        return {};
    const auto count = static_cast<std::int64_t>(fresh.size());
    if (running->elementCount() != count)
        return runtimeError("running statistics {0}, {1} elements expected", ir::describe(*running), count);
    Tensor moved = Tensor::empty(DType::Float64, running->shape());
    for (std::int64_t c = 0; c < count; ++c)
        moved.mutableData<double>()[c] =
            momentum * fresh[static_cast<std::size_t>(c)] + (1.0 - momentum) * running->at(c);
    return copyInto(context, *running, moved);
}

Result<Tensor> normalise(const Context& context, const BatchNorm& norm, const Statistics& statistics)
{
    const auto channels = static_cast<std::size_t>(norm.channels());
    std::vector<float> scale(channels);
    std::vector<float> shift(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        scale[c] = statistics.inverse[c] * norm.weight[c];
        shift[c] = norm.bias[c] - statistics.mean[c] * scale[c];
    }
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
    Statistics out = batchStatistics(norm);
    const auto count = static_cast<double>(norm.perChannel());
    std::vector<double> unbiased;
    for (const double variance : out.variance)
        unbiased.push_back(variance * count / (count - 1.0));
    GB_TRY(
        moveRunning(context, norm.runningMean, std::vector<double>(out.mean.begin(), out.mean.end()), norm.momentum));
    GB_TRY(moveRunning(context, norm.runningVar, unbiased, norm.momentum));
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
