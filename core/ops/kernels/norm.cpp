// layer_norm, group_norm, instance_norm, rms_norm.
//
// Source: aten/src/ATen/native/layer_norm.cpp, cpu/layer_norm_kernel.cpp, cpu/group_norm_kernel.cpp, RMSNorm's
// composite. They are torch's to the last bit but for instance norm, whose means and variances are summed in double.
#include "base/processor.h"
#include "ops/gemm/micro_kernel.h"
#include "ops/kernels/affine.h"
#include "ops/kernels/cascade_sum.h"
#include "ops/kernels/families.h"
#include "ops/kernels/row_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

struct Normalised {
    Tensor out;
    Tensor mean;    ///< one a row
    Tensor inverse; ///< 1 / deviation, one a row
};

/// Rows of `width` floats, each moved to mean 0 and variance 1, then weight[i] and bias[i] applied to element i of
/// each.
Result<Normalised> normaliseRows(const Context& context, const Tensor& x, std::int64_t width, double eps)
{
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, x.shape()));
    const std::int64_t rows = width == 0 ? 0 : x.elementCount() / width;
    Tensor mean = Tensor::empty(DType::Float32, {rows});
    Tensor inverse = Tensor::empty(DType::Float32, {rows});
    const float* from = x.data<float>();
    float* to = out.mutableData<float>();
    float* means = mean.mutableData<float>();
    float* inverses = inverse.mutableData<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(1, width));
    context.forEachChunk(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const Moments moments = momentsOf(from + row * width, width);
            const double scale = 1.0 / std::sqrt(moments.variance + eps);
            means[row] = static_cast<float>(moments.mean);
            inverses[row] = static_cast<float>(scale);
            for (std::int64_t i = row * width; i < (row + 1) * width; ++i)
                to[i] = static_cast<float>((static_cast<double>(from[i]) - moments.mean) * scale);
        }
    });
    return Normalised{out, mean, inverse};
}

/// x * weight + bias over the last `width` elements; x is new.
void applyRows(Tensor& x, const std::vector<float>& weight, const std::vector<float>& bias)
{
    float* values = x.mutableData<float>();
    const auto width = static_cast<std::int64_t>(weight.size());
    for (std::int64_t i = 0; i < x.elementCount(); ++i) {
        const auto at = static_cast<std::size_t>(i % width);
        values[i] = values[i] * weight[at] + bias[at];
    }
}

struct RowNorm {
    Tensor x; ///< float32, contiguous
    DType dtype = DType::Float32;
    std::int64_t width = 1;
    Shape outer; ///< the sizes that are not normalised over
    std::vector<float> weight;
    std::vector<float> bias;
};

Result<RowNorm> readRowNorm(const Call& call, bool hasBias)
{
    RowNorm out;
    GB_ASSIGN(const Tensor input, call.tensor(0));
    GB_TRY(expectFloat(input, "norm input"));
    GB_ASSIGN(const Shape normalized, call.ints(1));
    const auto count = static_cast<std::ptrdiff_t>(normalized.size());
    if (count == 0 || count > input.dim()
        || !std::equal(normalized.begin(), normalized.end(), input.shape().end() - count))
        return runtimeError("normalized_shape {0}, the last sizes of {1} expected", ir::toText(normalized),
                            ir::toText(input.shape()));
    out.dtype = input.dtype();
    out.x = input.to(DType::Float32).contiguous();
    out.outer.assign(input.shape().begin(), input.shape().end() - count);
    for (const std::int64_t size : normalized)
        out.width *= size;
    GB_ASSIGN(const std::optional<Tensor> weight, call.maybeTensor(2));
    GB_ASSIGN(out.weight, channelValues(weight, out.width, 1.0F, "norm weight"));
    std::optional<Tensor> bias;
    if (hasBias) {
        GB_ASSIGN(bias, call.maybeTensor(3));
    }
    GB_ASSIGN(out.bias, channelValues(bias, out.width, 0.0F, "norm bias"));
    return out;
}

/// (x - mean) * inverse * weight + bias, the last two steps rounded once.
[[gnu::always_inline]] inline void layerRow(const float* __restrict x, float* __restrict out, const RowNorm& norm,
                                            float mean, float inverse)
{
    const float* weight = norm.weight.data();
    const float* bias = norm.bias.data();
    for (std::int64_t i = 0; i < norm.width; ++i)
        out[i] = __builtin_fmaf((x[i] - mean) * inverse, weight[i], bias[i]);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void layerRowAvx2(const float* x, float* out, const RowNorm& norm, float mean,
                                              float inverse)
{
    layerRow(x, out, norm, mean, inverse);
}
#endif

void writeLayerRow(const float* x, float* out, const RowNorm& norm, float mean, float inverse)
{
#if defined(__x86_64__)
    if (base::hasAvx2AndFma())
        return layerRowAvx2(x, out, norm, mean, inverse);
#endif
    layerRow(x, out, norm, mean, inverse);
}

Result<Normalised> layerNormOf(const Call& call, const RowNorm& norm, double eps)
{
    Normalised out;
    const std::int64_t rows = norm.width == 0 ? 0 : norm.x.elementCount() / norm.width;
    GB_ASSIGN(out.out, makeTensor(DType::Float32, norm.x.shape()));
    GB_ASSIGN(out.mean, makeTensor(DType::Float32, {rows}));
    GB_ASSIGN(out.inverse, makeTensor(DType::Float32, {rows}));
    const float* from = norm.x.data<float>();
    float* to = out.out.mutableData<float>();
    float* means = out.mean.mutableData<float>();
    float* inverses = out.inverse.mutableData<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(1, norm.width));
    call.context().forEachChunk(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const RowMoments moments = rowMoments(from + row * norm.width, norm.width);
            means[row] = moments.mean;
            inverses[row] = 1.0F / std::sqrt(moments.variance + static_cast<float>(eps));
            writeLayerRow(from + row * norm.width, to + row * norm.width, norm, means[row], inverses[row]);
        }
    });
    out.out = out.out.to(norm.dtype);
    return out;
}

Result<Value> layerNorm(const Call& call)
{
    GB_ASSIGN(const RowNorm norm, readRowNorm(call, true));
    GB_ASSIGN(const double eps, call.real(4, 1e-5));
    GB_ASSIGN(const Normalised out, layerNormOf(call, norm, eps));
    return Value(out.out);
}

Result<Value> nativeLayerNorm(const Call& call)
{
    GB_ASSIGN(const RowNorm norm, readRowNorm(call, true));
    GB_ASSIGN(const double eps, call.real(4));
    GB_ASSIGN(const Normalised out, layerNormOf(call, norm, eps));
    Shape shape = norm.outer;
    shape.resize(static_cast<std::size_t>(norm.x.dim()), 1);
    return Value(ValueList{out.out, out.mean.reshaped(shape), out.inverse.reshaped(shape)});
}

/// x / sqrt(mean(x^2) + eps) * weight
Result<Value> rmsNorm(const Call& call)
{
    GB_ASSIGN(RowNorm norm, readRowNorm(call, false));
    GB_ASSIGN(const Tensor weightless, makeTensor(DType::Float32, norm.x.shape()));
    GB_ASSIGN(const double eps, call.real(3, static_cast<double>(std::numeric_limits<float>::epsilon())));
    Tensor out = weightless;
    const std::int64_t rows = norm.width == 0 ? 0 : norm.x.elementCount() / norm.width;
    const float* from = norm.x.data<float>();
    float* to = out.mutableData<float>();
    // rms_norm_composite: input.pow(2).mean().add(eps).rsqrt() * input
    std::vector<float> squares(static_cast<std::size_t>(norm.width));
    for (std::int64_t row = 0; row < rows; ++row, from += norm.width, to += norm.width) {
        for (std::size_t i = 0; i < squares.size(); ++i)
            squares[i] = from[i] * from[i];
        const float sum = cascadeSum(squares.data(), norm.width, rows);
        const float scale = 1.0F / std::sqrt(sum / static_cast<float>(norm.width) + static_cast<float>(eps));
        for (std::int64_t i = 0; i < norm.width; ++i)
            to[i] = from[i] * scale;
    }
    applyRows(out, norm.weight, norm.bias);
    return Value(out.to(norm.dtype));
}

struct GroupNorm {
    Tensor x; ///< float32, contiguous, [N, C, ...]
    DType dtype = DType::Float32;
    bool isAffine = false; ///< a weight or bias was given
    std::vector<float> weight;
    std::vector<float> bias;
};

Result<GroupNorm> readGroupNorm(const Call& call, std::size_t weightAt)
{
    GroupNorm out;
    GB_ASSIGN(const Tensor input, call.tensor(0));
    GB_TRY(expectFloat(input, "norm input"));
    if (input.dim() < 2)
        return runtimeError("norm input {0}, two or more dimensions expected", ir::describe(input));
    out.dtype = input.dtype();
    out.x = input.to(DType::Float32).contiguous();
    GB_ASSIGN(const std::optional<Tensor> weight, call.maybeTensor(weightAt));
    GB_ASSIGN(const std::optional<Tensor> bias, call.maybeTensor(weightAt + 1));
    out.isAffine = weight.has_value() || bias.has_value();
    GB_ASSIGN(out.weight, channelValues(weight, input.size(1), 1.0F, "norm weight"));
    GB_ASSIGN(out.bias, channelValues(bias, input.size(1), 0.0F, "norm bias"));
    return out;
}

/// One channel of one image: (x - mean) * inverse; where there is a weight or bias, what does not hang on x is folded
/// into two factors.
void writeGroupChannel(const GroupNorm& norm, std::size_t channel, float mean, float inverse, const float* x,
                       float* out, std::int64_t count)
{
    if (!norm.isAffine) {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = (x[i] - mean) * inverse;
        return;
    }
    const float scale = inverse * norm.weight[channel];
    bestMicroKernel().scaleShift(x, scale, std::fma(-scale, mean, norm.bias[channel]), out, count);
}

Result<Normalised> groupNormOf(const Context& context, const GroupNorm& norm, std::int64_t groups, double eps)
{
    const std::int64_t channels = norm.x.size(1);
    if (groups <= 0 || channels % groups != 0)
        return runtimeError("{0} channels in {1} groups, a divisor expected", channels, groups);
    const std::int64_t rows = norm.x.size(0) * groups;
    Normalised out;
    GB_ASSIGN(out.out, makeTensor(DType::Float32, norm.x.shape()));
    GB_ASSIGN(out.mean, makeTensor(DType::Float32, {rows}));
    GB_ASSIGN(out.inverse, makeTensor(DType::Float32, {rows}));
    const std::int64_t inGroup = channels / groups;
    const std::int64_t width = rows == 0 ? 0 : norm.x.elementCount() / rows;
    const std::int64_t plane = width / std::max<std::int64_t>(1, inGroup);
    const float* from = norm.x.data<float>();
    float* to = out.out.mutableData<float>();
    float* means = out.mean.mutableData<float>();
    float* inverses = out.inverse.mutableData<float>();
    context.forEachChunk(width == 0 ? 0 : rows, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const RowMoments moments = rowMoments(from + row * width, width);
            means[row] = moments.mean;
            const double variance = std::max(moments.variance, 0.0F);
            inverses[row] = static_cast<float>(1.0 / std::sqrt(variance + eps));
            for (std::int64_t c = 0; c < inGroup; ++c)
                writeGroupChannel(norm, static_cast<std::size_t>(row % groups * inGroup + c), means[row], inverses[row],
                                  from + row * width + c * plane, to + row * width + c * plane, plane);
        }
    });
    out.out = out.out.to(norm.dtype);
    return out;
}

Result<Value> groupNorm(const Call& call)
{
    GB_ASSIGN(const GroupNorm norm, readGroupNorm(call, 2));
    GB_ASSIGN(const std::int64_t groups, call.integer(1));
    GB_ASSIGN(const double eps, call.real(4, 1e-5));
    GB_ASSIGN(const Normalised out, groupNormOf(call.context(), norm, groups, eps));
    return Value(out.out);
}

Result<Value> nativeGroupNorm(const Call& call)
{
    GB_ASSIGN(const GroupNorm norm, readGroupNorm(call, 1));
    GB_ASSIGN(const std::int64_t groups, call.integer(6));
    GB_ASSIGN(const double eps, call.real(7));
    GB_ASSIGN(const Normalised out, groupNormOf(call.context(), norm, groups, eps));
    const Shape shape{norm.x.size(0), groups};
    return Value(ValueList{out.out, out.mean.reshaped(shape), out.inverse.reshaped(shape)});
}

/// Each channel of each image by itself.
Result<Value> instanceNorm(const Call& call)
{
    GB_ASSIGN(const GroupNorm norm, readGroupNorm(call, 1));
    GB_ASSIGN(const bool inputStatistics, call.boolean(5, true));
    GB_ASSIGN(const double eps, call.real(7, 1e-5));
    if (!inputStatistics || call.has(3) || call.has(4))
        return runtimeError("instance norm with running statistics, the input's own statistics expected");
    const std::int64_t rows = norm.x.size(0) * norm.x.size(1);
    GB_ASSIGN(const Normalised out,
              normaliseRows(call.context(), norm.x, rows == 0 ? 0 : norm.x.elementCount() / rows, eps));
    GB_ASSIGN(const Tensor moved, channelAffine(call.context(), out.out, norm.weight, norm.bias));
    return Value(moved.to(norm.dtype));
}

const KernelRow kRows[] = {
    {"aten.layer_norm.default", layerNorm, "input normalized_shape weight bias eps cudnn_enable"},
    {"aten.native_layer_norm.default", nativeLayerNorm, "input normalized_shape weight bias eps"},
    {"aten.rms_norm.default", rmsNorm, "input normalized_shape weight eps"},
    {"aten.group_norm.default", groupNorm, "input num_groups weight bias eps cudnn_enabled"},
    {"aten.native_group_norm.default", nativeGroupNorm, "input weight bias N C HxW group eps"},
    {"aten.instance_norm.default", instanceNorm,
     "input weight bias running_mean running_var use_input_stats momentum eps cudnn_enabled"},
};

} // namespace

std::span<const KernelRow> normKernels()
{
    return kRows;
}

} // namespace gb::ops
