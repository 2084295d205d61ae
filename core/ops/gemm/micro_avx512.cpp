// Compiled with -mavx512f (core/ops/options.cmake).
#define GB_LANES 16
#define GB_ROWS 12
#define GB_VECTORS 2
#define GB_NAME "avx512"
#define GB_GETTER microKernelAvx512
#include "ops/gemm/micro_kernel.inc"
