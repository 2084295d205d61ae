// add, mul, div, pow, maximum and their like: two operands in torch.result_type.
//
// Source: aten/src/ATen/native/BinaryOps.cpp, cpu/BinaryOpsKernel.cpp, cpu/PowKernel.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

/// Wraps around on overflow instead of being undefined.
template <class T, class F>
T wrapping(T a, T b, F f)
{
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>)
        return static_cast<T>(f(a, b));
    else
        return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

struct Add {
    template <class T>
    T operator()(T a, T b) const
    {
        return wrapping(a, b, [](auto x, auto y) { return x + y; });
    }
};
struct Sub {
    template <class T>
    T operator()(T a, T b) const
    {
        return wrapping(a, b, [](auto x, auto y) { return x - y; });
    }
};
struct Mul {
    template <class T>
    T operator()(T a, T b) const
    {
        return wrapping(a, b, [](auto x, auto y) { return x * y; });
    }
};
struct BitAnd {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a;
        else
            return static_cast<T>(a & b);
    }
};
struct BitOr {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a;
        else
            return static_cast<T>(a | b);
    }
};
struct BitXor {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a;
        else
            return static_cast<T>(a ^ b);
    }
};

/// a + alpha * b, rounded once for floats, as torch's vectorised kernel.
struct AddScaled {
    Scalar alpha;
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::fma(b, alpha.to<T>(), a);
        else
            return Add{}(a, Mul{}(b, alpha.to<T>()));
    }
};

struct Divide {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a / b;
        else
            return b == T(0) ? T(0) : static_cast<T>(a / b);
    }
};

/// Division cut to an integer; an integer divided by -1 must not trap on the smallest one.
struct DivideTrunc {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::trunc(a / b);
        else if constexpr (std::is_signed_v<T>)
            return b == T(-1) ? Sub{}(T(0), a) : Divide{}(a, b);
        else
            return Divide{}(a, b);
    }
};

/// c10::div_floor_floating and div_floor_integer.
struct DivideFloor {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            if (b == 0)
                return a / b;
            const T mod = std::fmod(a, b);
            T div = (a - mod) / b;
            if (mod != 0 && (b < 0) != (mod < 0))
                div -= T(1);
            if (div == 0)
                return std::copysign(T(0), a / b);
            const T floored = std::floor(div);
            return div - floored > T(0.5) ? floored + T(1) : floored;
        } else {
            const T quotient = DivideTrunc{}(a, b);
            if constexpr (std::is_signed_v<T>)
                if (b != T(0) && b != T(-1) && (a < 0) != (b < 0) && a % b != 0)
                    return static_cast<T>(quotient - 1);
            return quotient;
        }
    }
};

/// Python's %, the sign of the divisor.
struct Remainder {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            T mod = std::fmod(a, b);
            return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
        } else {
            if (b == T(0))
                return T(0);
            if constexpr (std::is_signed_v<T>) {
                if (b == T(-1))
                    return T(0);
                const T mod = static_cast<T>(a % b);
                return mod != 0 && (b < 0) != (mod < 0) ? static_cast<T>(mod + b) : mod;
            } else
                return static_cast<T>(a % b);
        }
    }
};

/// C's fmod, the sign of the dividend.
struct Fmod {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::fmod(a, b);
        else if constexpr (std::is_signed_v<T>)
            return b == T(0) || b == T(-1) ? T(0) : static_cast<T>(a % b);
        else
            return b == T(0) ? T(0) : static_cast<T>(a % b);
    }
};

struct Maximum {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a != a ? a : b != b ? b : (a > b ? a : b);
        else
            return a > b ? a : b;
    }
};
struct Minimum {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return a != a ? a : b != b ? b : (a < b ? a : b);
        else
            return a < b ? a : b;
    }
};

struct Pow {
    template <class T>
    T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::pow(a, b);
        else {
            if (b < T(0))
                return a == T(1) ? T(1) : T(0);
            T out = T(1);
            T base = a;
            for (auto left = static_cast<std::uint64_t>(b); left > 0; left >>= 1) {
                if (left & 1)
                    out = Mul{}(out, base);
                base = Mul{}(base, base);
            }
            return out;
        }
    }
};
struct Atan2 {
    template <class T>
    T operator()(T a, T b) const
    {
        return static_cast<T>(std::atan2(static_cast<double>(a), static_cast<double>(b)));
    }
};

template <class F>
Result<Value> binary(const Call& call)
{
    return binarySame(call, F{});
}

template <class F>
Result<Value> bitwise(const Call& call)
{
    ResultType type;
    GB_TRY(addOperand(call, 0, type));
    GB_TRY(addOperand(call, 1, type));
    if (ir::isFloatingPoint(type.get()))
        return notImplemented("operands of {0}, integers or bool expected", ir::name(type.get()));
    return binarySame(call, F{});
}

Result<Value> scaledSum(const Call& call, bool subtract)
{
    GB_ASSIGN(std::optional<Scalar> alpha, call.maybeScalar(2));
    const bool one = !alpha || (alpha->toDouble() == 1.0);
    if (one)
        return subtract ? binarySame(call, Sub{}) : binarySame(call, Add{});
    if (subtract) {
        alpha->integer = Sub{}(std::int64_t{0}, alpha->integer);
        alpha->real = -alpha->real;
    }
    return binarySame(call, AddScaled{*alpha});
}

Result<Value> add(const Call& call)
{
    return scaledSum(call, false);
}

/// torch does not subtract bools (sub_check).
base::Status checkSubtraction(const Call& call)
{
    for (const std::size_t index : {0U, 1U}) {
        const Tensor* tensor = call.value(index).tensor();
        if (call.value(index).as<bool>() || (tensor && tensor->dtype() == DType::Bool))
            return notImplemented("subtraction with {0} is not supported, numbers expected",
                                  describe(call.value(index)));
    }
    return {};
}

Result<Value> sub(const Call& call)
{
    GB_TRY(checkSubtraction(call));
    return scaledSum(call, true);
}

/// other - alpha * self
Result<Value> rsub(const Call& call)
{
    GB_TRY(checkSubtraction(call));
    GB_ASSIGN(const std::optional<Scalar> alpha, call.maybeScalar(2));
    if (!alpha || alpha->toDouble() == 1.0)
        return binarySame(call, [](auto a, auto b) { return Sub{}(b, a); });
    const Scalar scale = *alpha;
    return binarySame(call, [scale]<class T>(T a, T b) { return Sub{}(b, Mul{}(scale.to<T>(), a)); });
}

Result<Value> div(const Call& call)
{
    return binarySame(call, Divide{}, true);
}

Result<Value> divMode(const Call& call)
{
    GB_ASSIGN(const std::string_view mode, call.text(2, ""));
    if (mode == "floor")
        return binarySame(call, DivideFloor{});
    if (mode == "trunc")
        return binarySame(call, DivideTrunc{});
    if (mode.empty())
        return div(call);
    return runtimeError("rounding_mode '{0}', 'trunc' or 'floor' expected", mode);
}

/// The exponents that PowKernel.cpp computes without pow.
Result<Value> powNumber(const Call& call)
{
    GB_ASSIGN(const Scalar exponent, call.scalar(1));
    const double e = exponent.toDouble();
    ResultType type;
    GB_TRY(addOperand(call, 0, type));
    GB_TRY(addOperand(call, 1, type));
    if (!ir::isFloatingPoint(type.get()))
        return binarySame(call, Pow{});
    if (e == 0.5)
        return binarySame(call, [](auto x, auto) { return std::sqrt(static_cast<double>(x)); });
    if (e == 2.0)
        return binarySame(call, [](auto x, auto) { return Mul{}(x, x); });
    if (e == 3.0)
        return binarySame(call, [](auto x, auto) { return Mul{}(Mul{}(x, x), x); });
    if (e == -1.0)
        return binarySame(call, []<class T>(T x, T) { return Divide{}(T(1), x); });
    if (e == -2.0)
        return binarySame(call, []<class T>(T x, T) { return Divide{}(T(1), Mul{}(x, x)); });
    return binarySame(call, Pow{});
}

Result<Value> atan2(const Call& call)
{
    return binarySame(call, Atan2{}, true);
}

/// self + value * tensor1 * tensor2, and with division.
template <class F>
Result<Value> addC(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const std::optional<Scalar> value, call.maybeScalar(3));
    GB_ASSIGN(const Call inner,
              Call::bind(call.context(), call.target(), "self other", {call.value(1), call.value(2)}, {}));
    GB_ASSIGN(const Value product, binarySame(inner, F{}, std::is_same_v<F, Divide>));
    const Value factor = value ? (value->isFloat() ? Value(value->real) : Value(value->integer)) : Value(1);
    GB_ASSIGN(const Call sum,
              Call::bind(call.context(), call.target(), "self other alpha", {self, product, factor}, {}));
    return add(sum);
}

constexpr Alias kInPlace = Alias::InPlace;

const KernelRow kRows[] = {
    {"aten.add.Tensor", add, "self other alpha"},
    {"aten.add.Scalar", add, "self other alpha"},
    {"aten.add_.Tensor", add, "self other alpha", kInPlace},
    {"aten.add_.Scalar", add, "self other alpha", kInPlace},
    {"aten.sub.Tensor", sub, "self other alpha"},
    {"aten.sub.Scalar", sub, "self other alpha"},
    {"aten.sub_.Tensor", sub, "self other alpha", kInPlace},
    {"aten.sub_.Scalar", sub, "self other alpha", kInPlace},
    {"aten.subtract.Tensor", sub, "self other alpha"},
    {"aten.rsub.Tensor", rsub, "self other alpha"},
    {"aten.rsub.Scalar", rsub, "self other alpha"},
    {"aten.mul.Tensor", binary<Mul>, "self other"},
    {"aten.mul.Scalar", binary<Mul>, "self other"},
    {"aten.mul_.Tensor", binary<Mul>, "self other", kInPlace},
    {"aten.mul_.Scalar", binary<Mul>, "self other", kInPlace},
    {"aten.multiply.Tensor", binary<Mul>, "self other"},
    {"aten.div.Tensor", div, "self other"},
    {"aten.div.Scalar", div, "self other"},
    {"aten.div.Tensor_mode", divMode, "self other rounding_mode"},
    {"aten.div.Scalar_mode", divMode, "self other rounding_mode"},
    {"aten.div_.Tensor", div, "self other", kInPlace},
    {"aten.div_.Scalar", div, "self other", kInPlace},
    {"aten.divide.Tensor", div, "self other"},
    {"aten.true_divide.Tensor", div, "self other"},
    {"aten.floor_divide.default", binary<DivideFloor>, "self other"},
    {"aten.floor_divide.Scalar", binary<DivideFloor>, "self other"},
    {"aten.remainder.Tensor", binary<Remainder>, "self other"},
    {"aten.remainder.Scalar", binary<Remainder>, "self other"},
    {"aten.fmod.Tensor", binary<Fmod>, "self other"},
    {"aten.fmod.Scalar", binary<Fmod>, "self other"},
    {"aten.pow.Tensor_Tensor", binary<Pow>, "self exponent"},
    {"aten.pow.Tensor_Scalar", powNumber, "self exponent"},
    {"aten.pow.Scalar", binary<Pow>, "self exponent"},
    {"aten.maximum.default", binary<Maximum>, "self other"},
    {"aten.minimum.default", binary<Minimum>, "self other"},
    {"aten.max.other", binary<Maximum>, "self other"},
    {"aten.min.other", binary<Minimum>, "self other"},
    {"aten.atan2.default", atan2, "self other"},
    {"aten.addcmul.default", addC<Mul>, "self tensor1 tensor2 value"},
    {"aten.addcdiv.default", addC<Divide>, "self tensor1 tensor2 value"},
    {"aten.bitwise_and.Tensor", bitwise<BitAnd>, "self other"},
    {"aten.bitwise_and.Scalar", bitwise<BitAnd>, "self other"},
    {"aten.bitwise_or.Tensor", bitwise<BitOr>, "self other"},
    {"aten.bitwise_or.Scalar", bitwise<BitOr>, "self other"},
    {"aten.bitwise_xor.Tensor", bitwise<BitXor>, "self other"},
    {"aten.bitwise_xor.Scalar", bitwise<BitXor>, "self other"},
    {"aten.__and__.Tensor", bitwise<BitAnd>, "self other"},
    {"aten.__or__.Tensor", bitwise<BitOr>, "self other"},
};

} // namespace

std::span<const KernelRow> arithmeticKernels()
{
    return kRows;
}

} // namespace gb::ops
