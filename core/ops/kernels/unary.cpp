// exp, sqrt, neg and their like: one operand, no parameter.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/square_root.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Result;

template <class F>
Result<Value> floatUnary(const Call& call)
{
    GB_ASSIGN(const ir::Tensor x, call.tensor(0));
    GB_ASSIGN(ir::Tensor out, mapFloat(call.context(), x, F{}));
    return Value(std::move(out));
}

template <class F>
Result<Value> sameUnary(const Call& call)
{
    GB_ASSIGN(const ir::Tensor x, call.tensor(0));
    GB_ASSIGN(ir::Tensor out, mapSame(call.context(), x, F{}));
    return Value(std::move(out));
}

template <class F>
Result<Value> boolUnary(const Call& call)
{
    GB_ASSIGN(const ir::Tensor x, call.tensor(0));
    GB_ASSIGN(ir::Tensor out, mapToBool(call.context(), x, F{}));
    return Value(std::move(out));
}

// clang-format off
struct Exp { template <class T> T operator()(T x) const { return std::exp(x); } };
struct Exp2 { template <class T> T operator()(T x) const { return std::exp2(x); } };
struct Expm1 { template <class T> T operator()(T x) const { return static_cast<T>(std::expm1(static_cast<double>(x))); } };
struct Log { template <class T> T operator()(T x) const { return std::log(x); } };
struct Log2 { template <class T> T operator()(T x) const { return std::log2(x); } };
struct Log10 { template <class T> T operator()(T x) const { return std::log10(x); } };
struct Log1p { template <class T> T operator()(T x) const { return std::log1p(x); } };
struct Sqrt {
    template <class T> T operator()(T x) const { return std::sqrt(x); }
    float operator()(float x) const { return squareRoot(x); }
};
struct Rsqrt { template <class T> T operator()(T x) const { return T(1) / std::sqrt(x); } };
struct Sin { template <class T> T operator()(T x) const { return std::sin(x); } };
struct Cos { template <class T> T operator()(T x) const { return std::cos(x); } };
struct Tan { template <class T> T operator()(T x) const { return std::tan(x); } };
struct Asin { template <class T> T operator()(T x) const { return std::asin(x); } };
struct Acos { template <class T> T operator()(T x) const { return std::acos(x); } };
struct Atan { template <class T> T operator()(T x) const { return std::atan(x); } };
struct Sinh { template <class T> T operator()(T x) const { return std::sinh(x); } };
struct Cosh { template <class T> T operator()(T x) const { return std::cosh(x); } };
struct Erf { template <class T> T operator()(T x) const { return std::erf(x); } };
struct Erfc { template <class T> T operator()(T x) const { return std::erfc(x); } };
struct Reciprocal { template <class T> T operator()(T x) const { return T(1) / x; } };
// clang-format on

/// The smallest integer stays as it is, as in torch.
struct Neg {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_same_v<T, bool>)
            return x;
        else if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(x));
        else
            return -x;
    }
};

struct Abs {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::fabs(x);
        else if constexpr (std::is_unsigned_v<T>)
            return x;
        else
            return x < 0 ? Neg{}(x) : x;
    }
};

struct Square {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x));
        else
            return x * x;
    }
};

struct Sign {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>((x > 0) - (x < 0));
        else
            return static_cast<T>(static_cast<int>(x > T(0)) - static_cast<int>(x < T(0)));
    }
};

/// Rounding leaves integers as they are.
template <auto F>
struct Rounding {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(F(static_cast<double>(x)));
        else
            return x;
    }
};
double floorOf(double x)
{
    return std::floor(x);
}
double ceilOf(double x)
{
    return std::ceil(x);
}
double truncOf(double x)
{
    return std::trunc(x);
}
double roundOf(double x)
{
    return std::nearbyint(x);
}

struct Frac {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return x - std::trunc(x);
        else
            return T(0);
    }
};

struct BitwiseNot {
    template <class T>
    T operator()(T x) const
    {
        if constexpr (std::is_same_v<T, bool>)
            return !x;
        else if constexpr (std::is_integral_v<T>)
            return static_cast<T>(~x);
        else
            return x;
    }
};

Result<Value> bitwiseNot(const Call& call)
{
    GB_ASSIGN(const ir::Tensor x, call.tensor(0));
    if (ir::isFloatingPoint(x.dtype()))
        return notImplemented("{0}, integers or bool expected", ir::describe(x));
    return sameUnary<BitwiseNot>(call);
}

struct IsNan {
    template <class T>
    bool operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::isnan(x);
        else
            return false;
    }
};
struct IsInf {
    template <class T>
    bool operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::isinf(x);
        else
            return false;
    }
};
struct IsFinite {
    template <class T>
    bool operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::isfinite(x);
        else
            return true;
    }
};
struct LogicalNot {
    template <class T>
    bool operator()(T x) const
    {
        return x == T(0);
    }
};

constexpr Alias kInPlace = Alias::InPlace;

const KernelRow kRows[] = {
    {"aten.exp.default", floatUnary<Exp>, "self"},
    {"aten.exp_.default", floatUnary<Exp>, "self", kInPlace},
    {"aten.exp2.default", floatUnary<Exp2>, "self"},
    {"aten.expm1.default", floatUnary<Expm1>, "self"},
    {"aten.log.default", floatUnary<Log>, "self"},
    {"aten.log2.default", floatUnary<Log2>, "self"},
    {"aten.log10.default", floatUnary<Log10>, "self"},
    {"aten.log1p.default", floatUnary<Log1p>, "self"},
    {"aten.sqrt.default", floatUnary<Sqrt>, "self"},
    {"aten.sqrt_.default", floatUnary<Sqrt>, "self", kInPlace},
    {"aten.rsqrt.default", floatUnary<Rsqrt>, "self"},
    {"aten.rsqrt_.default", floatUnary<Rsqrt>, "self", kInPlace},
    {"aten.sin.default", floatUnary<Sin>, "self"},
    {"aten.cos.default", floatUnary<Cos>, "self"},
    {"aten.tan.default", floatUnary<Tan>, "self"},
    {"aten.asin.default", floatUnary<Asin>, "self"},
    {"aten.acos.default", floatUnary<Acos>, "self"},
    {"aten.atan.default", floatUnary<Atan>, "self"},
    {"aten.sinh.default", floatUnary<Sinh>, "self"},
    {"aten.cosh.default", floatUnary<Cosh>, "self"},
    {"aten.erf.default", floatUnary<Erf>, "self"},
    {"aten.erfc.default", floatUnary<Erfc>, "self"},
    {"aten.reciprocal.default", floatUnary<Reciprocal>, "self"},
    {"aten.neg.default", sameUnary<Neg>, "self"},
    {"aten.neg_.default", sameUnary<Neg>, "self", kInPlace},
    {"aten.abs.default", sameUnary<Abs>, "self"},
    {"aten.abs_.default", sameUnary<Abs>, "self", kInPlace},
    {"aten.square.default", sameUnary<Square>, "self"},
    {"aten.sign.default", sameUnary<Sign>, "self"},
    {"aten.floor.default", sameUnary<Rounding<floorOf>>, "self"},
    {"aten.ceil.default", sameUnary<Rounding<ceilOf>>, "self"},
    {"aten.trunc.default", sameUnary<Rounding<truncOf>>, "self"},
    {"aten.round.default", sameUnary<Rounding<roundOf>>, "self"},
    {"aten.frac.default", sameUnary<Frac>, "self"},
    {"aten.bitwise_not.default", bitwiseNot, "self"},
    {"aten.logical_not.default", boolUnary<LogicalNot>, "self"},
    {"aten.isnan.default", boolUnary<IsNan>, "self"},
    {"aten.isinf.default", boolUnary<IsInf>, "self"},
    {"aten.isfinite.default", boolUnary<IsFinite>, "self"},
};

} // namespace

std::span<const KernelRow> unaryKernels()
{
    return kRows;
}

} // namespace gb::ops
