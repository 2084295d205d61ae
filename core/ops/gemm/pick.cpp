#include "base/processor.h"
#include "ops/gemm/micro_kernel.h"

namespace gb::ops {

const MicroKernel& bestMicroKernel()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0)
        return microKernelAvx512();
    if (base::hasAvx2AndFma())
        return microKernelAvx2();
#endif
    return microKernelBaseline();
}

} // namespace gb::ops
