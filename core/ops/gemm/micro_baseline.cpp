#define GB_LANES 4
#define GB_ROWS 6
#define GB_VECTORS 2
#define GB_NAME "baseline"
#define GB_GETTER microKernelBaseline
#include "ops/gemm/micro_kernel.inc"
