#include "ops/kernels/conv_geometry.h"

namespace gb::ops {

using base::Result;
using base::Status;
using ir::Tensor;

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30; ///< of any one size or step, so that sums do not overflow

Status checkList(const ir::Shape& values, std::size_t count, std::int64_t least, const char* what)
{
    if (values.size() != count)
        return runtimeError("{0} has {1} numbers, {2} expected", what, values.size(), count);
    for (const std::int64_t value : values)
        if (value < least || value > kLargest)
            return runtimeError("{0} {1}, {2} or more expected", what, value, least);
    return {};
}

Status checkChannels(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                     const ConvParameters& p, std::int64_t channels)
{
    if (p.groups <= 0)
        return runtimeError("groups {0}, 1 or more expected", p.groups);
    const std::int64_t outer = weight.size(0);
    const std::int64_t expected = p.transposed ? outer : weight.size(1) * p.groups;
    if (channels != expected)
        return runtimeError("input {0} has {1} channels, {2} expected for weight {3} and groups {4}",
                            ir::toText(input.shape()), channels, expected, ir::toText(weight.shape()), p.groups);
    if (outer % p.groups != 0)
        return runtimeError("weight {0}, a size divisible by groups {1} expected", ir::toText(weight.shape()),
                            p.groups);
    const std::int64_t out = p.transposed ? weight.size(1) * p.groups : outer;
    if (bias && (bias->dim() != 1 || bias->size(0) != out))
        return runtimeError("bias {0}, [{1}] expected", ir::toText(bias->shape()), out);
    return {};
}

Result<std::int64_t> outputSize(const ConvParameters& p, std::size_t axis, std::int64_t input, std::int64_t kernel)
{
    const std::int64_t reach = p.dilation[axis] * (kernel - 1) + 1;
    if (p.transposed)
        return (input - 1) * p.stride[axis] - 2 * p.padding[axis] + reach + p.outputPadding[axis];
    const std::int64_t padded = input + 2 * p.padding[axis];
    if (padded < reach)
        return runtimeError("padded input size {0} at dimension {1}, kernel size {2} or more expected", padded, axis,
                            reach);
    return (padded - reach) / p.stride[axis] + 1;
}

Status checkParameters(const ConvParameters& p, std::size_t spatial)
{
    GB_TRY(checkList(p.stride, spatial, 1, "stride"));
    GB_TRY(checkList(p.padding, spatial, 0, "padding"));
    GB_TRY(checkList(p.dilation, spatial, 1, "dilation"));
    if (!p.transposed)
        return {};
    GB_TRY(checkList(p.outputPadding, spatial, 0, "output padding"));
    for (std::size_t i = 0; i < spatial; ++i)
        if (p.outputPadding[i] >= p.stride[i] && p.outputPadding[i] >= p.dilation[i])
            return runtimeError("output padding {0}, less than stride {1} or dilation {2} expected", p.outputPadding[i],
                                p.stride[i], p.dilation[i]);
    return {};
}

} // namespace

Result<ConvGeometry> convGeometry(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                                  const ConvParameters& p)
{
    const std::int64_t rank = weight.dim();
    if (rank < 3 || rank > 5)
        return runtimeError("weight {0}, 3 to 5 dimensions expected", ir::describe(weight));
    if (input.dim() != rank && input.dim() != rank - 1)
        return runtimeError("input {0}, {1} or {2} dimensions expected", ir::describe(input), rank - 1, rank);
    GB_TRY(expectSameDType(input, weight, "convolution"));
    if (bias)
        GB_TRY(expectSameDType(input, *bias, "convolution bias"));
    const auto spatial = static_cast<std::size_t>(rank - 2);
    GB_TRY(checkParameters(p, spatial));
    const bool batched = input.dim() == rank;
    ConvGeometry g;
    g.batch = batched ? input.size(0) : 1;
    g.inChannels = input.size(batched ? 1 : 0);
    GB_TRY(checkChannels(input, weight, bias, p, g.inChannels));
    g.groups = p.groups;
    g.outChannels = p.transposed ? weight.size(1) * p.groups : weight.size(0);
    if (batched)
        g.outShape.push_back(g.batch);
    g.outShape.push_back(g.outChannels);
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::size_t to = 3 - spatial + i;
        g.input[to] = input.shape()[i + (batched ? 2 : 1)];
        g.kernel[to] = weight.shape()[i + 2];
        if (g.kernel[to] <= 0 || g.kernel[to] > kLargest || g.input[to] > kLargest)
            return runtimeError("kernel size {0} over input size {1}, 1 or more expected", g.kernel[to], g.input[to]);
        g.stride[to] = p.stride[i];
        g.padding[to] = p.padding[i];
        g.dilation[to] = p.dilation[i];
        GB_ASSIGN(g.output[to], outputSize(p, i, g.input[to], g.kernel[to]));
        if (g.output[to] < 0 || (p.transposed && g.output[to] == 0))
            return runtimeError("output size {0} at dimension {1}, 1 or more expected", g.output[to], i);
        g.outShape.push_back(g.output[to]);
    }
    return g;
}

} // namespace gb::ops
