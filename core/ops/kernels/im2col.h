// The columns of a convolution's im2col matrix, made a panel at a time while the product packs its right factor.
//
// Thread: pure; one packer may be called by several threads.
#pragma once

#include "ops/gemm/gemm.h"
#include "ops/kernels/conv_geometry.h"

namespace gb::ops {

/// The right factor [inPerGroup * kernelSize, outputSize] of one image's group; `input` is its first channel.
PackRight packPatches(const ConvGeometry& geometry, const float* input);

} // namespace gb::ops
