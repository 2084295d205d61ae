// eq, lt, logical_and, where and their like.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

// clang-format off
struct Eq { template <class T> bool operator()(T a, T b) const { return a == b; } };
struct Ne { template <class T> bool operator()(T a, T b) const { return a != b; } };
struct Lt { template <class T> bool operator()(T a, T b) const { return a < b; } };
struct Le { template <class T> bool operator()(T a, T b) const { return a <= b; } };
struct Gt { template <class T> bool operator()(T a, T b) const { return a > b; } };
struct Ge { template <class T> bool operator()(T a, T b) const { return a >= b; } };
struct And { template <class T> bool operator()(T a, T b) const { return a != T(0) && b != T(0); } };
struct Or { template <class T> bool operator()(T a, T b) const { return a != T(0) || b != T(0); } };
struct Xor { template <class T> bool operator()(T a, T b) const { return (a != T(0)) != (b != T(0)); } };
// clang-format on

template <class F>
Result<Value> compare(const Call& call)
{
    return binaryBool(call, F{});
}

/// Chooses element by element; all three broadcast.
Result<Tensor> choose(const Context& context, const Tensor& condition, const Tensor& yes, const Tensor& no)
{
    if (condition.dtype() != DType::Bool && condition.dtype() != DType::UInt8)
        return runtimeError("condition is {0}, bool expected", ir::describe(condition));
    GB_ASSIGN(const ir::Shape pair, broadcastShapes(yes.shape(), no.shape()));
    GB_ASSIGN(const ir::Shape shape, broadcastShapes(condition.shape(), pair));
    GB_ASSIGN(const Tensor wideCondition, broadcastTo(condition.to(DType::Bool), shape));
    GB_ASSIGN(const Tensor wideYes, broadcastTo(yes, shape));
    GB_ASSIGN(const Tensor wideNo, broadcastTo(no, shape));
    GB_ASSIGN(Tensor out, makeTensor(yes.dtype(), shape));
    const bool* flags = wideCondition.data<bool>();
    dispatchCompute(yes.dtype(), [&]<class T>() {
        T* to = out.mutableData<T>();
        const T* a = wideYes.data<T>();
        const T* b = wideNo.data<T>();
        forEachRow<4>(context, {&out, &wideCondition, &wideYes, &wideNo},
                      [&](const auto& at, std::int64_t count, const auto& step) {
                          for (std::int64_t i = 0; i < count; ++i)
                              to[at[0] + i * step[0]] =
                                  flags[at[1] + i * step[1]] ? a[at[2] + i * step[2]] : b[at[3] + i * step[3]];
                      });
    });
    return out;
}

Result<Value> chooseOperands(const Call& call, std::size_t condition, std::size_t yes, std::size_t no, DType dtype)
{
    GB_ASSIGN(const Tensor flags, call.tensor(condition));
    GB_ASSIGN(const Tensor a, operandAs(call, yes, computeDType(dtype)));
    GB_ASSIGN(const Tensor b, operandAs(call, no, computeDType(dtype)));
    GB_ASSIGN(const Tensor out, choose(call.context(), flags, a, b));
    return Value(out.to(dtype));
}

Result<Value> where(const Call& call)
{
    ResultType type;
    GB_TRY(addOperand(call, 1, type));
    GB_TRY(addOperand(call, 2, type));
    return chooseOperands(call, 0, 1, 2, type.get());
}

/// The value takes the tensor's dtype, whatever its own.
Result<Value> maskedFill(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_TRY(expectReal(self));
    return chooseOperands(call, 1, 2, 0, self.dtype());
}

constexpr Alias kInPlace = Alias::InPlace;

const KernelRow kRows[] = {
    {"aten.eq.Tensor", compare<Eq>, "self other"},
    {"aten.eq.Scalar", compare<Eq>, "self other"},
    {"aten.ne.Tensor", compare<Ne>, "self other"},
    {"aten.ne.Scalar", compare<Ne>, "self other"},
    {"aten.lt.Tensor", compare<Lt>, "self other"},
    {"aten.lt.Scalar", compare<Lt>, "self other"},
    {"aten.le.Tensor", compare<Le>, "self other"},
    {"aten.le.Scalar", compare<Le>, "self other"},
    {"aten.gt.Tensor", compare<Gt>, "self other"},
    {"aten.gt.Scalar", compare<Gt>, "self other"},
    {"aten.ge.Tensor", compare<Ge>, "self other"},
    {"aten.ge.Scalar", compare<Ge>, "self other"},
    {"aten.logical_and.default", compare<And>, "self other"},
    {"aten.logical_or.default", compare<Or>, "self other"},
    {"aten.logical_xor.default", compare<Xor>, "self other"},
    {"aten.where.self", where, "condition self other"},
    {"aten.where.ScalarOther", where, "condition self other"},
    {"aten.where.ScalarSelf", where, "condition self other"},
    {"aten.where.Scalar", where, "condition self other"},
    {"aten.masked_fill.Scalar", maskedFill, "self mask value"},
    {"aten.masked_fill.Tensor", maskedFill, "self mask value"},
    {"aten.masked_fill_.Scalar", maskedFill, "self mask value", kInPlace},
    {"aten.masked_fill_.Tensor", maskedFill, "self mask value", kInPlace},
};

} // namespace

std::span<const KernelRow> comparisonKernels()
{
    return kRows;
}

} // namespace gb::ops
