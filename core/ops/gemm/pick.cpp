#include "ops/gemm/micro_kernel.h"

namespace gb::ops {

const MicroKernel& bestMicroKernel()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0)
        return microKernelAvx512();
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
        return microKernelAvx2();
#endif
    return microKernelBaseline();
}

} // namespace gb::ops
