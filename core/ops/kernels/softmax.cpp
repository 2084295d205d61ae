// softmax and log_softmax.
//
// Source: aten/src/ATen/native/SoftMax.cpp, cpu/SoftMaxKernel.cpp.
#include "ops/kernels/softmax.h"

#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/rows.h"

#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

template <class T>
void softmaxRow(T* row, std::int64_t width, bool logarithm, bool safe)
{
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < width; ++i)
        largest = row[i] > largest || row[i] != row[i] ? row[i] : largest;
    if (safe && largest == -std::numeric_limits<T>::infinity()) {
        std::fill_n(row, width, T(0));
        return;
    }
    double sum = 0;
    for (std::int64_t i = 0; i < width; ++i) {
        const T power = std::exp(row[i] - largest);
        sum += static_cast<double>(power);
        row[i] = logarithm ? row[i] - largest : power;
    }
    const T total = static_cast<T>(logarithm ? std::log(sum) : sum);
    for (std::int64_t i = 0; i < width; ++i)
        row[i] = logarithm ? row[i] - total : row[i] / total;
}

template <class T>
void allRows(const Context& context, T* values, std::int64_t rows, std::int64_t width, bool logarithm, bool safe)
{
    const std::int64_t grain = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, width));
    context.forEachChunk(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            softmaxRow(values + row * width, width, logarithm, safe);
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
