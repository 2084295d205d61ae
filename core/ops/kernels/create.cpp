// zeros, full, arange, to and their like: new tensors, and other dtypes of a tensor.
//
// Source: aten/src/ATen/native/TensorFactories.cpp, RangeFactories.cpp, TensorConversions.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

Tensor numberTensor(const Scalar& value)
{
    return value.isFloat() ? Tensor::scalar(value.real) : Tensor::scalar(value.integer);
}

Result<Value> filled(const Call& call, const Shape& shape, DType dtype, const Scalar& value)
{
    GB_ASSIGN(const Tensor out, makeTensor(dtype, shape));
    GB_TRY(expectReal(out));
    GB_TRY(copyInto(call.context(), out, numberTensor(value).to(dtype)));
    return Value(out);
}

Scalar integerScalar(std::int64_t value)
{
    return {DType::Int64, value, 0.0};
}

/// zeros(size, dtype), ones and empty; a dtype that is not given is float32.
template <int Fill>
Result<Value> constant(const Call& call)
{
    GB_ASSIGN(const Shape shape, call.ints(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    return filled(call, shape, dtype.value_or(DType::Float32), integerScalar(Fill));
}

DType dtypeOfScalar(const Scalar& value)
{
    return value.isFloat() ? DType::Float32 : value.dtype;
}

Result<Value> full(const Call& call)
{
    GB_ASSIGN(const Shape shape, call.ints(0));
    GB_ASSIGN(const Scalar value, call.scalar(1));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(2));
    return filled(call, shape, dtype.value_or(dtypeOfScalar(value)), value);
}

/// zeros_like(self, dtype), ones_like, empty_like.
template <int Fill>
Result<Value> constantLike(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    return filled(call, x.shape(), dtype.value_or(x.dtype()), integerScalar(Fill));
}

Result<Value> fullLike(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Scalar value, call.scalar(1));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(2));
    return filled(call, x.shape(), dtype.value_or(x.dtype()), value);
}

/// self.new_zeros(size), new_ones, new_empty.
template <int Fill>
Result<Value> constantNew(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape shape, call.ints(1));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(2));
    return filled(call, shape, dtype.value_or(x.dtype()), integerScalar(Fill));
}

Result<Value> fullNew(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape shape, call.ints(1));
    GB_ASSIGN(const Scalar value, call.scalar(2));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(3));
    return filled(call, shape, dtype.value_or(x.dtype()), value);
}

Result<Value> scalarTensor(const Call& call)
{
    GB_ASSIGN(const Scalar value, call.scalar(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    return filled(call, {}, dtype.value_or(DType::Float32), value);
}

Result<Value> range(const Call& call, const Scalar& start, const Scalar& end, const Scalar& step, std::size_t dtypeAt)
{
    GB_ASSIGN(const std::optional<DType> asked, call.dtype(dtypeAt));
    const bool real = start.isFloat() || end.isFloat() || step.isFloat();
    const DType dtype = asked.value_or(real ? DType::Float32 : DType::Int64);
    const double stride = step.toDouble();
    const double count = std::ceil((end.toDouble() - start.toDouble()) / stride);
    if (!(stride != 0.0) || !(count >= 0.0) || count > static_cast<double>(kMaxElements))
        return runtimeError("arange from {0} to {1} by {2}, a step that leads there expected", start.toDouble(),
                            end.toDouble(), stride);
    GB_ASSIGN(Tensor out, makeTensor(real ? DType::Float64 : DType::Int64, {static_cast<std::int64_t>(count)}));
    GB_TRY(expectReal(Tensor::empty(dtype, {0})));
    for (std::int64_t i = 0; i < out.elementCount(); ++i) {
        if (real)
            out.mutableData<double>()[i] = start.toDouble() + static_cast<double>(i) * stride;
        else
            out.mutableData<std::int64_t>()[i] =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(start.integer)
                                          + static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step.integer));
    }
    return Value(out.to(dtype));
}

Result<Value> arangeEnd(const Call& call)
{
    GB_ASSIGN(const Scalar end, call.scalar(0));
    return range(call, integerScalar(0), end, integerScalar(1), 1);
}

Result<Value> arangeStart(const Call& call)
{
    GB_ASSIGN(const Scalar start, call.scalar(0));
    GB_ASSIGN(const Scalar end, call.scalar(1));
    return range(call, start, end, integerScalar(1), 2);
}

Result<Value> arangeStep(const Call& call)
{
    GB_ASSIGN(const Scalar start, call.scalar(0));
    GB_ASSIGN(const Scalar end, call.scalar(1));
    GB_ASSIGN(const std::optional<Scalar> step, call.maybeScalar(2));
    return range(call, start, end, step.value_or(integerScalar(1)), 3);
}

Result<Value> eyeOf(const Call& call, std::int64_t rows, std::int64_t cols, std::size_t dtypeAt)
{
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(dtypeAt));
    GB_ASSIGN(Tensor out, makeZeros(DType::Float32, {rows, cols}));
    for (std::int64_t i = 0; i < std::min(rows, cols); ++i)
        out.mutableData<float>()[i * cols + i] = 1.0F;
    GB_TRY(expectReal(Tensor::empty(dtype.value_or(DType::Float32), {0})));
    return Value(out.to(dtype.value_or(DType::Float32)));
}

Result<Value> eye(const Call& call)
{
    GB_ASSIGN(const std::int64_t size, call.integer(0));
    return eyeOf(call, size, size, 1);
}

Result<Value> eyeRectangle(const Call& call)
{
    GB_ASSIGN(const std::int64_t rows, call.integer(0));
    GB_ASSIGN(const std::int64_t cols, call.integer(1));
    return eyeOf(call, rows, cols, 2);
}

Result<Value> converted(const Tensor& x, DType dtype, bool copy)
{
    if (dtype != x.dtype()) {
        GB_TRY(expectReal(x));
        GB_TRY(expectReal(Tensor::empty(dtype, {0})));
        return Value(x.to(dtype));
    }
    return Value(copy ? x.clone() : x);
}

/// to(...) with a dtype, and perhaps a copy, at the positions that the overload has.
template <std::size_t DTypeAt, std::size_t CopyAt>
Result<Value> to(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(DTypeAt));
    GB_ASSIGN(const bool copy, call.boolean(CopyAt, false));
    return converted(x, dtype.value_or(x.dtype()), copy);
}

Result<Value> toOther(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor other, call.tensor(1));
    GB_ASSIGN(const bool copy, call.boolean(3, false));
    return converted(x, other.dtype(), copy);
}

Result<Value> typeAs(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor other, call.tensor(1));
    return converted(x, other.dtype(), false);
}

Result<Value> toCopy(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    return converted(x, dtype.value_or(x.dtype()), true);
}

constexpr const char* kSizeNames = "size dtype layout device pin_memory memory_format";
constexpr const char* kLikeNames = "self dtype layout device pin_memory memory_format";
constexpr const char* kNewNames = "self size dtype layout device pin_memory";

const KernelRow kRows[] = {
    {"aten.zeros.default", constant<0>, "size dtype layout device pin_memory"},
    {"aten.ones.default", constant<1>, "size dtype layout device pin_memory"},
    {"aten.empty.memory_format", constant<0>, kSizeNames},
    {"aten.full.default", full, "size fill_value dtype layout device pin_memory"},
    {"aten.zeros_like.default", constantLike<0>, kLikeNames},
    {"aten.ones_like.default", constantLike<1>, kLikeNames},
    {"aten.empty_like.default", constantLike<0>, kLikeNames},
    {"aten.full_like.default", fullLike, "self fill_value dtype layout device pin_memory memory_format"},
    {"aten.new_zeros.default", constantNew<0>, kNewNames},
    {"aten.new_ones.default", constantNew<1>, kNewNames},
    {"aten.new_empty.default", constantNew<0>, kNewNames},
    {"aten.new_full.default", fullNew, "self size fill_value dtype layout device pin_memory"},
    {"aten.scalar_tensor.default", scalarTensor, "s dtype layout device pin_memory"},
    {"aten.arange.default", arangeEnd, "end dtype layout device pin_memory"},
    {"aten.arange.start", arangeStart, "start end dtype layout device pin_memory"},
    {"aten.arange.start_step", arangeStep, "start end step dtype layout device pin_memory"},
    {"aten.eye.default", eye, "n dtype layout device pin_memory"},
    {"aten.eye.m", eyeRectangle, "n m dtype layout device pin_memory"},
    {"aten.to.dtype", to<1, 3>, "self dtype non_blocking copy memory_format", Alias::Maybe},
    {"aten.to.device", to<2, 4>, "self device dtype non_blocking copy memory_format", Alias::Maybe},
    {"aten.to.dtype_layout", to<1, 6>, "self dtype layout device pin_memory non_blocking copy memory_format",
     Alias::Maybe},
    {"aten.to.other", toOther, "self other non_blocking copy memory_format", Alias::Maybe},
    {"aten.type_as.default", typeAs, "self other", Alias::Maybe},
    {"aten._to_copy.default", toCopy, "self dtype layout device pin_memory non_blocking memory_format"},
};

} // namespace

std::span<const KernelRow> createKernels()
{
    return kRows;
}

} // namespace gb::ops
