#include "ops/kernels/families.h"

namespace gb::ops {

std::vector<Family> kernelFamilies()
{
    return {
        {"conv", convKernels()},
        {"matmul", matmulKernels()},
        {"einsum", einsumKernels()},
        {"batch norm", batchNormKernels()},
        {"norm", normKernels()},
        {"pool", poolKernels()},
        {"activation", activationKernels()},
        {"arithmetic", arithmeticKernels()},
        {"comparison", comparisonKernels()},
        {"unary", unaryKernels()},
        {"reduce", reduceKernels()},
        {"extremes", extremeKernels()},
        {"search", searchKernels()},
        {"scan", scanKernels()},
        {"softmax", softmaxKernels()},
        {"attention", attentionKernels()},
        {"rnn", rnnKernels()},
        {"embedding", embeddingKernels()},
        {"view", viewKernels()},
        {"split", splitKernels()},
        {"join", joinKernels()},
        {"index", indexKernels()},
        {"scatter", scatterKernels()},
        {"write", writeKernels()},
        {"pad", padKernels()},
        {"upsample", upsampleKernels()},
        {"sample", sampleKernels()},
        {"create", createKernels()},
        {"quantize", quantizeKernels()},
        {"block quantize", blockQuantizeKernels()},
        {"choose qparams", chooseQParamsKernels()},
        {"random", randomKernels()},
        {"python", pythonKernels()},
        {"control flow", controlFlowKernels()},
    };
}

} // namespace gb::ops
