// The innermost loops of the float matrix product, one set for each instruction set.
//
// The same source (micro_kernel.inc) is compiled three times, each with other compiler options, into functions of
// different names; it uses no standard library template, so that the linker cannot mix code of one instruction set
// into another. Which set runs is picked once from what the processor has.
//
// Thread: pure functions.
#pragma once

#include <cstdint>

namespace gb::ops {

struct MicroKernel {
    const char* name;  ///< "baseline", "avx2", "avx512"
    std::int64_t rows; ///< of one tile (MR)
    std::int64_t cols; ///< of one tile (NR)
    /// tile[rows x cols] (row stride ldc) = or += A (k columns of `rows` floats) x B (k rows of `cols` floats). The sum
    /// of a row starts from start[row], or from zero where start is null.
    void (*tile)(std::int64_t k, const float* a, const float* b, float* c, std::int64_t ldc, bool accumulate,
                 const float* start);
    /// The same with row p of B at b + at[p].
    void (*tileAt)(std::int64_t k, const float* a, const float* b, const std::int64_t* at, float* c, std::int64_t ldc,
                   bool accumulate, const float* start);
    /// Dot product, summed in a fixed order.
    float (*dot)(const float* a, const float* b, std::int64_t count);
    /// y[i] += a * x[i]
    void (*axpy)(float a, const float* x, float* y, std::int64_t count);
    /// y[i] += a * x[i * step]
    void (*axpyStep)(float a, const float* x, std::int64_t step, float* y, std::int64_t count);
    /// y[i] = x[i] * a + b, rounded once where the instruction set can
    void (*scaleShift)(const float* x, float a, float b, float* y, std::int64_t count);
    /// y[i] = x[i] * a[i] + b[i], likewise
    void (*multiplyAdd)(const float* x, const float* a, const float* b, float* y, std::int64_t count);
};

constexpr std::int64_t kMaxTileRows = 16;
constexpr std::int64_t kMaxTileCols = 64;

const MicroKernel& microKernelBaseline();
const MicroKernel& microKernelAvx2();   ///< needs avx2 and fma
const MicroKernel& microKernelAvx512(); ///< needs avx512f

/// The best one that this processor runs; always the same on one machine.
const MicroKernel& bestMicroKernel();

} // namespace gb::ops
