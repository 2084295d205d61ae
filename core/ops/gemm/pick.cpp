#include "ops/gemm/micro_kernel.h"
#include "ops/processor.h"

namespace gb::ops {

const MicroKernel& bestMicroKernel()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0)
        return microKernelAvx512();
    if (hasAvx2AndFma())
        return microKernelAvx2();
#endif
    return microKernelBaseline();
}

} // namespace gb::ops
