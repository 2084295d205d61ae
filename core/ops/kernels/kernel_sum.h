// In which order a convolution adds its products: torch's own, so that the sums are its to the last bit.
//
// Source: measured against torch 2.14.1 on two threads of a processor with AVX-512: oneDNN's jit:avx512_core (direct,
// first by kernel element, in blocks of 16 channels), jit_1x1:avx512_core (blocks of 256 or 80 channels),
// convolutions through im2col (channel by channel) where oneDNN is not used (Convolution.cpp, use_mkldnn) or a group
// does not fill its vectors.
//
// Thread: pure functions.
#pragma once

#include "ops/kernels/conv_geometry.h"

#include <vector>

namespace gb::ops {

struct KernelSum {
    struct Term {
        std::int64_t channel; ///< of the group's inputs
        Triple element;       ///< of the kernel
    };
    std::vector<Term> terms;
    /// So many terms are summed one after another; then this sum is added to that of the terms before. 0: as torch's
    /// matrix product does (Product::depthBlock).
    std::int64_t block = 0;
    /// The sum starts from the bias; else it is added behind the first block.
    bool biasFirst = false;
};

/// All elements of the kernel in row-major order.
std::vector<Triple> kernelElements(const ConvGeometry& g);

/// The order of inPerGroup x elements products.
KernelSum sumOrder(const ConvGeometry& g, const std::vector<Triple>& elements);

} // namespace gb::ops
