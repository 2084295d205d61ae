// What export leaves as Python functions: getitem, arithmetic on sizes, and checks.
//
// Sizes that export keeps symbolic are plain numbers here. The checks (asserts, constraints) do check.
#include "ops/checks.h"
#include "ops/kernels/families.h"

#include <algorithm>
#include <cmath>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Tensor;

Result<Value> getitem(const Call& call)
{
    GB_ASSIGN(const ValueList items, call.list(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    const auto count = static_cast<std::int64_t>(items.size());
    if (given < -count || given >= count)
        return Error{ErrorCode::IndexError, base::say("index {0} of a list of {1}", given, count), {}};
    return items[static_cast<std::size_t>(given < 0 ? given + count : given)];
}

Value valueOf(const Scalar& scalar)
{
    if (scalar.dtype == ir::DType::Bool)
        return Value(scalar.integer != 0);
    return scalar.isFloat() ? Value(scalar.real) : Value(scalar.integer);
}

Result<Value> overflow(const char* what)
{
    return Error{ErrorCode::RuntimeError, base::say("{0} of sizes does not fit 64 bits", what), {}};
}

enum class Arithmetic : std::uint8_t { Add, Sub, Mul };

template <Arithmetic Op>
Result<Value> arithmetic(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    if (a.isFloat() || b.isFloat()) {
        const double x = a.toDouble();
        const double y = b.toDouble();
        return Value(Op == Arithmetic::Add ? x + y : Op == Arithmetic::Sub ? x - y : x * y);
    }
    std::int64_t out = 0;
    const bool bad = Op == Arithmetic::Add   ? __builtin_add_overflow(a.integer, b.integer, &out)
                     : Op == Arithmetic::Sub ? __builtin_sub_overflow(a.integer, b.integer, &out)
                                             : __builtin_mul_overflow(a.integer, b.integer, &out);
    return bad ? overflow("arithmetic") : Result<Value>(Value(out));
}

base::Status expectDivisor(const Scalar& b)
{
    return b.toDouble() != 0.0 ? base::Status() : runtimeError("division by zero, another number expected");
}

Result<Value> trueDivide(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    GB_TRY(expectDivisor(b));
    return Value(a.toDouble() / b.toDouble());
}

Result<Value> floorDivide(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    GB_TRY(expectDivisor(b));
    if (a.isFloat() || b.isFloat())
        return Value(std::floor(a.toDouble() / b.toDouble()));
    if (b.integer == -1)
        return a.integer == std::numeric_limits<std::int64_t>::min() ? overflow("division") : Value(-a.integer);
    const std::int64_t quotient = a.integer / b.integer;
    return Value(a.integer % b.integer != 0 && (a.integer < 0) != (b.integer < 0) ? quotient - 1 : quotient);
}

Result<Value> modulo(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    GB_TRY(expectDivisor(b));
    if (a.isFloat() || b.isFloat())
        return Value(a.toDouble() - b.toDouble() * std::floor(a.toDouble() / b.toDouble()));
    if (b.integer == -1)
        return Value(std::int64_t{0});
    const std::int64_t rest = a.integer % b.integer;
    return Value(rest != 0 && (rest < 0) != (b.integer < 0) ? rest + b.integer : rest);
}

Result<Value> power(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    if (a.isFloat() || b.isFloat() || b.integer < 0)
        return Value(std::pow(a.toDouble(), b.toDouble()));
    std::int64_t out = 1;
    if (a.integer == 0 || a.integer == 1)
        return Value(b.integer == 0 ? std::int64_t{1} : a.integer);
    if (a.integer == -1)
        return Value(b.integer % 2 == 0 ? std::int64_t{1} : std::int64_t{-1});
    for (std::int64_t i = 0; i < b.integer; ++i)
        if (__builtin_mul_overflow(out, a.integer, &out))
            return overflow("power");
    return Value(out);
}

Result<Value> negate(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    if (a.isFloat())
        return Value(-a.real);
    return a.integer == std::numeric_limits<std::int64_t>::min() ? overflow("negation") : Value(-a.integer);
}

Result<Value> logicalNot(const Call& call)
{
    GB_ASSIGN(const bool a, call.boolean(0, false));
    return Value(!a);
}

enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

template <Compare Op, class T>
bool holds(T a, T b)
{
    switch (Op) {
    case Compare::Eq: return a == b;
    case Compare::Ne: return a != b;
    case Compare::Lt: return a < b;
    case Compare::Le: return a <= b;
    case Compare::Gt: return a > b;
    case Compare::Ge: return a >= b;
    }
    return false;
}

template <Compare Op>
Result<Value> compare(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    if (a.isFloat() || b.isFloat())
        return Value(holds<Op>(a.toDouble(), b.toDouble()));
    return Value(holds<Op>(a.integer, b.integer));
}

template <bool Both>
Result<Value> logical(const Call& call)
{
    GB_ASSIGN(const bool a, call.boolean(0, false));
    GB_ASSIGN(const bool b, call.boolean(1, false));
    return Value(Both ? a && b : a || b);
}

template <bool Largest>
Result<Value> symExtreme(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    GB_ASSIGN(const Scalar b, call.scalar(1));
    const bool first = Largest ? a.toDouble() >= b.toDouble() : a.toDouble() <= b.toDouble();
    return valueOf(first ? a : b);
}

template <std::int64_t (*Round)(double)>
Result<Value> rounding(const Call& call)
{
    GB_ASSIGN(const Scalar a, call.scalar(0));
    if (!a.isFloat())
        return valueOf(a);
    if (!(std::fabs(a.real) < 9.0e18))
        return overflow("rounding");
    return Value(Round(a.real));
}
std::int64_t ceilOf(double x)
{
    return static_cast<std::int64_t>(std::ceil(x));
}
std::int64_t floorOf(double x)
{
    return static_cast<std::int64_t>(std::floor(x));
}
std::int64_t truncOf(double x)
{
    return static_cast<std::int64_t>(x);
}

Result<Value> symFloat(const Call& call)
{
    GB_ASSIGN(const double value, call.real(0));
    return Value(value);
}

Result<Value> symSize(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (call.size() == 1) {
        ValueList out;
        for (const std::int64_t size : x.shape())
            out.emplace_back(size);
        return Value(std::move(out));
    }
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    if (x.dim() == 0)
        return Error{ErrorCode::IndexError, "size of a 0-dimensional tensor, dimensions expected", {}};
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    return Value(x.size(dim));
}

Result<Value> symStride(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    if (x.dim() == 0)
        return Error{ErrorCode::IndexError, "stride of a 0-dimensional tensor, dimensions expected", {}};
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    return Value(x.strides()[static_cast<std::size_t>(dim)]);
}

Result<Value> elementCount(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    return Value(x.elementCount());
}

Result<Value> item(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (x.elementCount() != 1)
        return runtimeError("item of {0}, one element expected", ir::describe(x));
    GB_ASSIGN(const Scalar scalar, call.scalar(0));
    return valueOf(scalar);
}

/// _assert_scalar, _assert_async: RuntimeError with the program's own message when false.
Result<Value> assertTrue(const Call& call)
{
    GB_ASSIGN(const Scalar condition, call.scalar(0));
    GB_ASSIGN(const std::string_view message, call.text(1, "assertion failed"));
    if (condition.toDouble() == 0.0)
        return runtimeError("{0}", message);
    return Value();
}

Result<Value> assertMetadata(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (call.has(1)) {
        GB_ASSIGN(const ir::Shape sizes, call.ints(1));
        if (sizes != x.shape())
            return runtimeError("tensor sizes {0}, {1} expected", ir::toText(x.shape()), ir::toText(sizes));
    }
    GB_ASSIGN(const std::optional<ir::DType> dtype, call.dtype(3));
    if (dtype && *dtype != x.dtype())
        return runtimeError("tensor dtype {0}, {1} expected", ir::name(x.dtype()), ir::name(*dtype));
    return Value();
}

Result<Value> constrainRange(const Call& call)
{
    GB_ASSIGN(const Scalar size, call.scalar(0));
    const double value = size.toDouble();
    if (call.has(1)) {
        GB_ASSIGN(const double least, call.real(1));
        if (value < least)
            return runtimeError("size {0}, {1} or more expected", value, least);
    }
    if (call.has(2)) {
        GB_ASSIGN(const double most, call.real(2));
        if (value > most)
            return runtimeError("size {0}, {1} or less expected", value, most);
    }
    return Value();
}

const KernelRow kRows[] = {
    {"<built-in function getitem>", getitem, "a b", Alias::Maybe},
    {"<built-in function add>", arithmetic<Arithmetic::Add>, "a b"},
    {"<built-in function sub>", arithmetic<Arithmetic::Sub>, "a b"},
    {"<built-in function mul>", arithmetic<Arithmetic::Mul>, "a b"},
    {"<built-in function truediv>", trueDivide, "a b"},
    {"<built-in function floordiv>", floorDivide, "a b"},
    {"<built-in function mod>", modulo, "a b"},
    {"<built-in function pow>", power, "a b"},
    {"<built-in function neg>", negate, "a"},
    {"<built-in function not_>", logicalNot, "a"},
    {"<built-in function eq>", compare<Compare::Eq>, "a b"},
    {"<built-in function ne>", compare<Compare::Ne>, "a b"},
    {"<built-in function lt>", compare<Compare::Lt>, "a b"},
    {"<built-in function le>", compare<Compare::Le>, "a b"},
    {"<built-in function gt>", compare<Compare::Gt>, "a b"},
    {"<built-in function ge>", compare<Compare::Ge>, "a b"},
    {"<built-in function and_>", logical<true>, "a b"},
    {"<built-in function or_>", logical<false>, "a b"},
    {"<built-in function ceil>", rounding<ceilOf>, "a"},
    {"<built-in function floor>", rounding<floorOf>, "a"},
    {"<built-in function trunc>", rounding<truncOf>, "a"},
    {"torch.sym_max", symExtreme<true>, "a b"},
    {"torch.sym_min", symExtreme<false>, "a b"},
    {"torch.sym_not", logicalNot, "a"},
    {"torch.sym_float", symFloat, "a"},
    {"torch.sym_int", rounding<truncOf>, "a"},
    {"aten.sym_size.int", symSize, "self dim"},
    {"aten.sym_size.default", symSize, "self"},
    {"aten.sym_stride.int", symStride, "self dim"},
    {"aten.sym_numel.default", elementCount, "self"},
    {"aten.size.int", symSize, "self dim"},
    {"aten.numel.default", elementCount, "self"},
    {"aten.item.default", item, "self"},
    {"aten._local_scalar_dense.default", item, "self"},
    {"aten._assert_scalar.default", assertTrue, "self assert_msg"},
    {"aten._assert_async.msg", assertTrue, "self assert_msg"},
    {"aten._assert_async.default", assertTrue, "self"},
    {"aten._assert_tensor_metadata.default", assertMetadata, "a size stride dtype device layout"},
    {"aten.sym_constrain_range.default", constrainRange, "size min max"},
    {"aten.sym_constrain_range_for_size.default", constrainRange, "size min max"},
};

} // namespace

std::span<const KernelRow> pythonKernels()
{
    return kRows;
}

} // namespace gb::ops
