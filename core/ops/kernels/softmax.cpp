// softmax and log_softmax.
//
// Source: aten/src/ATen/native/SoftMax.cpp, cpu/SoftMaxKernel.cpp.
#include "ops/kernels/softmax.h"

#include "base/processor.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/rows.h"
#include "ops/kernels/vector_exp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

/// The largest element; NaN where there is one.
template <class T>
T largestOf(const T* row, std::int64_t width)
{
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < width; ++i)
        largest = row[i] > largest || row[i] != row[i] ? row[i] : largest;
    return largest;
}

constexpr std::size_t kLanes = 16; ///< that a row's powers are summed in, as torch does with AVX-512

/// row[i] = e^(row[i] - largest), each added to its lane.
[[gnu::always_inline]] inline void powers(float* __restrict row, std::int64_t width, float largest,
                                          float* __restrict lanes)
{
    const auto count = static_cast<std::size_t>(width);
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            row[i + lane] = vectorExp(row[i + lane] - largest);
            lanes[lane] += row[i + lane];
        }
    for (std::size_t lane = 0; i + lane < count; ++lane) {
        row[i + lane] = vectorExp(row[i + lane] - largest);
        lanes[lane] += row[i + lane];
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void powersAvx2(float* row, std::int64_t width, float largest, float* lanes)
{
    powers(row, width, largest, lanes);
}
#endif

/// The sum of the powers that a row becomes.
float toPowers(float* row, std::int64_t width, float largest)
{
    std::array<float, kLanes> lanes{};
#if defined(__x86_64__)
    if (base::hasAvx2AndFma())
        powersAvx2(row, width, largest, lanes.data());
    else
#endif
        powers(row, width, largest, lanes.data());
    if (width < static_cast<std::int64_t>(kLanes)) // less than a vector is summed in order
        return std::accumulate(lanes.begin() + 1, lanes.begin() + std::max<std::int64_t>(width, 1), lanes[0]);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane)
            lanes[lane] += lanes[lane + half];
    return lanes[0];
}

/// float32: to the last bit torch's along the last dimension.
void softmaxRow(float* row, std::int64_t width, float largest)
{
    const float inverse = 1.0F / toPowers(row, width, largest);
    for (std::int64_t i = 0; i < width; ++i)
        row[i] *= inverse;
}

void softmaxRow(double* row, std::int64_t width, double largest)
{
    double sum = 0;
    for (std::int64_t i = 0; i < width; ++i)
        sum += row[i] = std::exp(row[i] - largest);
    for (std::int64_t i = 0; i < width; ++i)
        row[i] /= sum;
}

template <class T>
void logSoftmaxRow(T* row, std::int64_t width, T largest)
{
    double sum = 0;
    for (std::int64_t i = 0; i < width; ++i)
        sum += static_cast<double>(std::exp(row[i] - largest));
    const T total = static_cast<T>(std::log(sum));
    for (std::int64_t i = 0; i < width; ++i)
        row[i] = row[i] - largest - total;
}

template <class T>
void anyRow(T* row, std::int64_t width, bool logarithm, bool safe)
{
    const T largest = largestOf(row, width);
    if (safe && largest == -std::numeric_limits<T>::infinity())
        std::fill_n(row, width, T(0));
    else if (logarithm)
        logSoftmaxRow(row, width, largest);
    else
        softmaxRow(row, width, largest);
}

template <class T>
void allRows(const Context& context, T* values, std::int64_t rows, std::int64_t width, bool logarithm, bool safe)
{
    const std::int64_t grain = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, width));
    context.forEachChunk(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            anyRow(values + row * width, width, logarithm, safe);
    });
}

Result<Value> along(const Call& call, const Tensor& x, std::int64_t given, DType dtype, bool logarithm)
{
    GB_TRY(expectReal(x));
    if (!ir::isFloatingPoint(dtype))
        return notImplemented("softmax of {0}, floating point expected", ir::describe(x));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    Rows rows = rowsAlong(x.to(computeDType(dtype)), x.dim() == 0 ? ir::Shape{} : ir::Shape{dim});
    Tensor values = rows.values.clone();
    if (values.dtype() == DType::Float64)
        allRows(call.context(), values.mutableData<double>(), rows.count, rows.width, logarithm, false);
    else
        allRows(call.context(), values.mutableData<float>(), rows.count, rows.width, logarithm, false);
    return Value(rowsBack(values, dim).to(dtype));
}

template <bool Logarithm>
Result<Value> softmaxInt(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, call.integer(1));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(2));
    return along(call, x, dim, dtype.value_or(x.dtype()), Logarithm);
}

/// half_to_float: the result of a half tensor is float32.
template <bool Logarithm>
Result<Value> softmaxInner(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t dim, call.integer(1));
    GB_ASSIGN(const bool toFloat, call.boolean(2, false));
    return along(call, x, dim, toFloat ? DType::Float32 : x.dtype(), Logarithm);
}

const KernelRow kRows[] = {
    {"aten.softmax.int", softmaxInt<false>, "self dim dtype"},
    {"aten._softmax.default", softmaxInner<false>, "self dim half_to_float"},
    {"aten.log_softmax.int", softmaxInt<true>, "self dim dtype"},
    {"aten._log_softmax.default", softmaxInner<true>, "self dim half_to_float"},
};

} // namespace

void softmaxRows(const Context& context, float* values, std::int64_t rows, std::int64_t width, bool logarithm,
                 bool safe)
{
    allRows(context, values, rows, width, logarithm, safe);
}

std::span<const KernelRow> softmaxKernels()
{
    return kRows;
}

} // namespace gb::ops
