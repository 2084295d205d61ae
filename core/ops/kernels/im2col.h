// The columns of a convolution's im2col matrix, made a panel at a time while the product packs its right factor.
//
// Thread: pure; one packer may be called by several threads.
#pragma once

#include "ops/gemm/gemm.h"
#include "ops/kernels/conv_geometry.h"

namespace gb::ops {

/// In which order the rows of the matrix stand, which is the order that the sums run in.
enum class PatchOrder : std::uint8_t {
    ChannelFirst, ///< the elements of the kernel within a channel, as in the weight
    ElementFirst, ///< the channels within an element of the kernel
};

/// The right factor [inPerGroup * kernelSize, outputSize] of one image's group; `input` is its first channel.
PackRight packPatches(const ConvGeometry& geometry, const float* input, PatchOrder order = PatchOrder::ChannelFirst);

} // namespace gb::ops
