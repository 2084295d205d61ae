// The families of kernels; each has a file of its own and gives its rows.
//
// Thread: pure functions.
#pragma once

#include "ops/kernel_table.h"

#include <span>
#include <string_view>
#include <vector>

namespace gb::ops {

struct Family {
    std::string_view name;
    std::span<const KernelRow> rows;
};

/// Every family, in the order of the documentation.
std::vector<Family> kernelFamilies();

std::span<const KernelRow> activationKernels();
std::span<const KernelRow> arithmeticKernels();
std::span<const KernelRow> attentionKernels();
std::span<const KernelRow> batchNormKernels();
std::span<const KernelRow> comparisonKernels();
std::span<const KernelRow> controlFlowKernels();
std::span<const KernelRow> convKernels();
std::span<const KernelRow> createKernels();
std::span<const KernelRow> einsumKernels();
std::span<const KernelRow> embeddingKernels();
std::span<const KernelRow> extremeKernels();
std::span<const KernelRow> indexKernels();
std::span<const KernelRow> joinKernels();
std::span<const KernelRow> matmulKernels();
std::span<const KernelRow> normKernels();
std::span<const KernelRow> padKernels();
std::span<const KernelRow> poolKernels();
std::span<const KernelRow> pythonKernels();
std::span<const KernelRow> quantizeKernels();
std::span<const KernelRow> blockQuantizeKernels();
std::span<const KernelRow> sampleKernels();
std::span<const KernelRow> chooseQParamsKernels();
std::span<const KernelRow> randomKernels();
std::span<const KernelRow> reduceKernels();
std::span<const KernelRow> rnnKernels();
std::span<const KernelRow> scanKernels();
std::span<const KernelRow> scatterKernels();
std::span<const KernelRow> searchKernels();
std::span<const KernelRow> softmaxKernels();
std::span<const KernelRow> splitKernels();
std::span<const KernelRow> unaryKernels();
std::span<const KernelRow> upsampleKernels();
std::span<const KernelRow> viewKernels();
std::span<const KernelRow> writeKernels();

} // namespace gb::ops
