#include "ops/kernels/conv_compute.h"

#include "ops/gemm/gemm.h"
#include "ops/kernels/im2col.h"
#include "ops/kernels/valid_outputs.h"

#include <algorithm>

namespace gb::ops {
namespace {

void depthwisePlane(const MicroKernel& kernel, const ConvGeometry& g, const float* in, const float* weight, float* out)
{
    std::fill_n(out, g.outputSize(), 0.0F);
    for (std::int64_t e = 0; e < g.kernelSize(); ++e) {
        const std::int64_t kx = e % g.kernel[2] * g.dilation[2] - g.padding[2];
        const std::int64_t ky = e / g.kernel[2] % g.kernel[1] * g.dilation[1] - g.padding[1];
        const std::int64_t kz = e / g.kernel[2] / g.kernel[1] * g.dilation[0] - g.padding[0];
        const auto [x0, x1] = validOutputs(kx, g.stride[2], g.input[2], g.output[2]);
        const auto [y0, y1] = validOutputs(ky, g.stride[1], g.input[1], g.output[1]);
        const auto [z0, z1] = validOutputs(kz, g.stride[0], g.input[0], g.output[0]);
        for (std::int64_t z = z0; z < z1; ++z)
            for (std::int64_t y = y0; y < y1; ++y) {
                const float* from = in + ((z * g.stride[0] + kz) * g.input[1] + y * g.stride[1] + ky) * g.input[2] + kx;
                float* to = out + (z * g.output[1] + y) * g.output[2];
                if (g.stride[2] == 1)
                    kernel.axpy(weight[e], from + x0, to + x0, x1 - x0);
                else
                    for (std::int64_t x = x0; x < x1; ++x)
                        to[x] += weight[e] * from[x * g.stride[2]];
            }
    }
}

/// Adds one output channel's rows of the product back to where they belong.
template <class T>
void scatterPatches(const ConvGeometry& g, const T* columns, T* out)
{
    for (std::int64_t e = 0; e < g.kernelSize(); ++e, columns += g.inputSize()) {
        const std::int64_t kx = e % g.kernel[2] * g.dilation[2] - g.padding[2];
        const std::int64_t ky = e / g.kernel[2] % g.kernel[1] * g.dilation[1] - g.padding[1];
        const std::int64_t kz = e / g.kernel[2] / g.kernel[1] * g.dilation[0] - g.padding[0];
        const auto [x0, x1] = validOutputs(kx, g.stride[2], g.output[2], g.input[2]);
        const auto [y0, y1] = validOutputs(ky, g.stride[1], g.output[1], g.input[1]);
        const auto [z0, z1] = validOutputs(kz, g.stride[0], g.output[0], g.input[0]);
        for (std::int64_t z = z0; z < z1; ++z)
            for (std::int64_t y = y0; y < y1; ++y) {
                const T* from = columns + (z * g.input[1] + y) * g.input[2];
                T* to = out + ((z * g.stride[0] + kz) * g.output[1] + y * g.stride[1] + ky) * g.output[2] + kx;
                for (std::int64_t x = x0; x < x1; ++x)
                    to[x * g.stride[2]] += from[x];
            }
    }
}

/// One plane of a plain convolution: adds weight (kernelSize elements) over `in` to `out`.
void addPlanePlain(const ConvGeometry& g, const double* in, const double* weight, double* out)
{
    for (std::int64_t o = 0; o < g.outputSize(); ++o) {
        const std::int64_t x = o % g.output[2] * g.stride[2] - g.padding[2];
        const std::int64_t y = o / g.output[2] % g.output[1] * g.stride[1] - g.padding[1];
        const std::int64_t z = o / g.output[2] / g.output[1] * g.stride[0] - g.padding[0];
        double sum = 0;
        for (std::int64_t e = 0; e < g.kernelSize(); ++e) {
            const std::int64_t ix = x + e % g.kernel[2] * g.dilation[2];
            const std::int64_t iy = y + e / g.kernel[2] % g.kernel[1] * g.dilation[1];
            const std::int64_t iz = z + e / g.kernel[2] / g.kernel[1] * g.dilation[0];
            if (ix >= 0 && ix < g.input[2] && iy >= 0 && iy < g.input[1] && iz >= 0 && iz < g.input[0])
                sum += weight[e] * in[(iz * g.input[1] + iy) * g.input[2] + ix];
        }
        out[o] += sum;
    }
}

/// One plane of a plain transposed convolution.
void addPlaneTransposed(const ConvGeometry& g, const double* in, const double* weight, double* out)
{
    std::vector<double> columns(static_cast<std::size_t>(g.kernelSize() * g.inputSize()));
    for (std::int64_t e = 0; e < g.kernelSize(); ++e)
        for (std::int64_t i = 0; i < g.inputSize(); ++i)
            columns[static_cast<std::size_t>(e * g.inputSize() + i)] = weight[e] * in[i];
    scatterPatches(g, columns.data(), out);
}

/// Whether torch's library (oneDNN) sums this convolution with the channels innermost, in one chain: images of a few
/// channels that are not too small for it (Convolution.cpp, use_mkldnn).
bool sumsChannelsInside(const ConvGeometry& g)
{
    constexpr std::int64_t kFewChannels = 16;
    const bool large =
        g.batch > 1 || (g.kernel[1] > 3 && g.kernel[2] > 3) || g.batch * g.inChannels * g.inputSize() > 20480;
    return g.groups == 1 && g.inChannels < kFewChannels && g.kernelSize() > 1 && large;
}

/// The weight with the channels innermost.
std::vector<float> channelsInside(const ConvGeometry& g, const float* weight)
{
    const std::int64_t depth = g.inPerGroup() * g.kernelSize();
    std::vector<float> out(static_cast<std::size_t>(g.outChannels * depth));
    for (std::int64_t o = 0; o < g.outChannels; ++o)
        for (std::int64_t c = 0; c < g.inPerGroup(); ++c)
            for (std::int64_t e = 0; e < g.kernelSize(); ++e)
                out[static_cast<std::size_t>(o * depth + e * g.inPerGroup() + c)] =
                    weight[o * depth + c * g.kernelSize() + e];
    return out;
}

} // namespace

void convByProduct(const Context& context, const ConvGeometry& g, const float* input, const float* weight, float* out)
{
    const MicroKernel& kernel = bestMicroKernel();
    const std::int64_t depth = g.inPerGroup() * g.kernelSize();
    const bool inside = sumsChannelsInside(g);
    const std::vector<float> moved = inside ? channelsInside(g, weight) : std::vector<float>();
    const float* factor = inside ? moved.data() : weight;
    std::vector<LeftFactor> weights;
    weights.reserve(static_cast<std::size_t>(g.groups));
    for (std::int64_t group = 0; group < g.groups; ++group)
        weights.emplace_back(context, kernel, g.outPerGroup(), depth,
                             MatrixView{factor + group * g.outPerGroup() * depth, depth, 1},
                             packingFor(g.batch * g.outputSize()));
    const PatchOrder order = inside ? PatchOrder::ElementFirst : PatchOrder::ChannelFirst;
    std::vector<Product> products;
    for (std::int64_t n = 0; n < g.batch; ++n)
        for (std::int64_t group = 0; group < g.groups; ++group)
            products.push_back(
                {&weights[static_cast<std::size_t>(group)],
                 packPatches(g, input + (n * g.inChannels + group * g.inPerGroup()) * g.inputSize(), order),
                 g.outputSize(), out + (n * g.outChannels + group * g.outPerGroup()) * g.outputSize(), g.outputSize(),
                 false, inside});
    multiply(context, kernel, products);
}

void convDepthwise(const Context& context, const ConvGeometry& g, const float* input, const float* weight, float* out)
{
    const MicroKernel& kernel = bestMicroKernel();
    const std::int64_t multiplier = g.outPerGroup();
    context.forEachChunk(g.batch * g.outChannels, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const std::int64_t image = plane / g.outChannels;
            const std::int64_t channel = plane % g.outChannels;
            depthwisePlane(kernel, g, input + (image * g.inChannels + channel / multiplier) * g.inputSize(),
                           weight + channel * g.kernelSize(), out + plane * g.outputSize());
        }
    });
}

void convTransposed(const Context& context, const ConvGeometry& g, const float* input, const float* weight, float* out)
{
    const std::int64_t rows = g.outPerGroup() * g.kernelSize();
    std::vector<float> columns(static_cast<std::size_t>(rows * g.inputSize()));
    for (std::int64_t n = 0; n < g.batch; ++n)
        for (std::int64_t group = 0; group < g.groups && !context.work.cancelled(); ++group) {
            const float* in = input + (n * g.inChannels + group * g.inPerGroup()) * g.inputSize();
            // the weight is [in, out, kernel], so that its transpose is the left factor
            multiply(context, rows, g.inputSize(), g.inPerGroup(), {weight + group * g.inPerGroup() * rows, 1, rows},
                     {in, g.inputSize(), 1}, columns.data());
            float* to = out + (n * g.outChannels + group * g.outPerGroup()) * g.outputSize();
            context.forEachChunk(g.outPerGroup(), 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t c = begin; c < end; ++c) {
                    std::fill_n(to + c * g.outputSize(), g.outputSize(), 0.0F);
                    scatterPatches(g, columns.data() + c * g.kernelSize() * g.inputSize(), to + c * g.outputSize());
                }
            });
        }
}

void convPlain(const Context& context, const ConvGeometry& g, const double* input, const double* weight, double* out,
               bool transposed)
{
    const std::int64_t ins = g.inPerGroup();
    const std::int64_t outs = g.outPerGroup();
    context.forEachChunk(g.batch * g.outChannels, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const std::int64_t image = plane / g.outChannels;
            const std::int64_t channel = plane % g.outChannels;
            const std::int64_t group = channel / outs;
            double* to = out + plane * g.outputSize();
            std::fill_n(to, g.outputSize(), 0.0);
            for (std::int64_t c = 0; c < ins; ++c) {
                const double* in = input + (image * g.inChannels + group * ins + c) * g.inputSize();
                if (transposed)
                    addPlaneTransposed(g, in, weight + ((group * ins + c) * outs + channel % outs) * g.kernelSize(),
                                       to);
                else
                    addPlanePlain(g, in, weight + (channel * ins + c) * g.kernelSize(), to);
            }
        }
    });
}

} // namespace gb::ops
