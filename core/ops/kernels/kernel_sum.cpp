#include "ops/kernels/kernel_sum.h"

#include "ops/gemm/gemm.h"

#include <algorithm>

namespace gb::ops {
namespace {

constexpr std::int64_t kLanes = 16;          ///< floats in a vector of AVX-512
constexpr std::int64_t kLargestBlock = 4096; ///< terms whose columns fit a packed block
constexpr std::int64_t kChannelBlock = 256;  ///< of jit_1x1, where the image is very small or large

/// use_mkldnn for float32 on two threads: small single images go through im2col
bool goesToOneDnn(const ConvGeometry& g)
{
    return g.groups > 1 || g.batch > 1 || (g.kernel[1] > 3 && g.kernel[2] > 3)
           || g.batch * g.inChannels * g.inputSize() > 20480;
}

/// Channels that the direct kernel takes at a time; 0 where it does not run.
std::int64_t channelBlock(const ConvGeometry& g)
{
    if (!goesToOneDnn(g))
        return 0;
    if (g.groups == 1)
        return kLanes;
    for (std::int64_t lanes = kLanes; lanes >= 4; lanes /= 2)
        if (g.inPerGroup() % lanes == 0 && g.outPerGroup() % lanes == 0)
            return lanes;
    return 0;
}

std::int64_t pointwiseBlock(const ConvGeometry& g)
{
    constexpr std::int64_t kBigImage = 28 * 28;
    constexpr std::int64_t kManyOutputs = 256;
    return g.outputSize() > 10 * 10 && g.outputSize() < kBigImage && g.outPerGroup() <= kManyOutputs ? 80
                                                                                                     : kChannelBlock;
}

} // namespace

std::vector<Triple> kernelElements(const ConvGeometry& g)
{
    std::vector<Triple> out;
    for (std::int64_t z = 0; z < g.kernel[0]; ++z)
        for (std::int64_t y = 0; y < g.kernel[1]; ++y)
            for (std::int64_t x = 0; x < g.kernel[2]; ++x)
                out.push_back({z, y, x});
    return out;
}

KernelSum sumOrder(const ConvGeometry& g, const std::vector<Triple>& elements)
{
    const std::int64_t channels = g.inPerGroup();
    const std::int64_t lanes = channelBlock(g);
    KernelSum out;
    out.terms.reserve(static_cast<std::size_t>(channels) * elements.size());
    if (lanes == 0 || g.kernelSize() == 1) {
        out.biasFirst = lanes != 0;
        out.block = lanes != 0 ? pointwiseBlock(g) : 0;
        for (std::int64_t c = 0; c < channels; ++c)
            for (const Triple& element : elements)
                out.terms.push_back({c, element});
        return out;
    }
    out.block = std::clamp<std::int64_t>(lanes * static_cast<std::int64_t>(elements.size()), 1, kLargestBlock);
    for (std::int64_t first = 0; first < channels; first += lanes)
        for (const Triple& element : elements)
            for (std::int64_t c = first; c < std::min(channels, first + lanes); ++c)
                out.terms.push_back({c, element});
    return out;
}

} // namespace gb::ops
