// Compiled with -mavx2 -mfma (core/ops/options.cmake).
#define GB_LANES 8
#define GB_ROWS 6
#define GB_VECTORS 2
#define GB_NAME "avx2"
#define GB_GETTER microKernelAvx2
#include "ops/gemm/micro_kernel.inc"
