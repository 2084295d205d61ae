// relu, hardtanh, gelu, clamp and their like.
//
// Source: aten/src/ATen/native/cpu/Activation.cpp. NaN passes through, as there.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/gelu.h"
#include "ops/kernels/sigmoid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Tensor;

template <class T>
T limited(T x, T low, T high)
{
    const T raised = x < low ? low : x;
    return raised > high ? high : raised;
}

struct Relu {
    template <class T>
    T operator()(T x) const
    {
        return x < T(0) ? T(0) : x;
    }
};
struct Sigmoid {
    template <class T>
    T operator()(T x) const
    {
        return T(1) / (T(1) + std::exp(-x));
    }
};
/// torch's (MKL's) is rounded once but for one number in a thousand; the C library's float32 one often is not.
struct Tanh {
    template <class T>
    T operator()(T x) const
    {
        return static_cast<T>(std::tanh(static_cast<double>(x)));
    }
};
struct Silu {
    template <class T>
    T operator()(T x) const
    {
        return x / (T(1) + std::exp(-x));
    }
};
struct Hardswish {
    template <class T>
    T operator()(T x) const
    {
        return x * limited(x + T(3), T(0), T(6)) / T(6);
    }
};
struct Hardsigmoid {
    template <class T>
    T operator()(T x) const
    {
        return limited(x + T(3), T(0), T(6)) / T(6);
    }
};
struct Mish {
    template <class T>
    T operator()(T x) const
    {
        return x * std::tanh(std::log1p(std::exp(x)));
    }
};
struct LogSigmoid {
    template <class T>
    T operator()(T x) const
    {
        return (x < T(0) ? x : T(0)) - std::log1p(std::exp(-std::fabs(x)));
    }
};
struct GeluErf {
    template <class T>
    T operator()(T x) const
    {
        return x * T(0.5) * (T(1) + std::erf(x * T(std::numbers::sqrt2 / 2)));
    }
};

struct GeluTanh {
    template <class T>
    T operator()(T x) const
    {
        const T inner = T(std::numbers::sqrt2 * std::numbers::inv_sqrtpi) * (x + T(0.044715) * x * x * x);
        return T(0.5) * x * (T(1) + std::tanh(inner));
    }
};

template <class F>
Result<Value> floatOf(const Call& call, const F& f)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Tensor out, mapFloat(call.context(), x, f));
    return Value(std::move(out));
}

template <class F>
Result<Value> plain(const Call& call)
{
    return floatOf(call, F{});
}

Result<Value> relu(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Tensor out, mapSame(call.context(), x, Relu{}));
    return Value(std::move(out));
}

/// A function of rows over a contiguous tensor; in float32, and rounded once at the end.
Result<Tensor> contiguousRows(const Context& context, const Tensor& x, void (*row)(const float*, float*, std::int64_t))
{
    const Tensor in = x.to(ir::DType::Float32);
    GB_ASSIGN(Tensor out, makeTensor(ir::DType::Float32, in.shape()));
    const auto* from = in.data<float>();
    auto* to = out.mutableData<float>();
    context.forEachChunk(in.elementCount(), kElementGrain,
                         [&](std::int64_t begin, std::int64_t end) { row(from + begin, to + begin, end - begin); });
    return out.to(x.dtype());
}

/// What does not fill two vectors at the end of a thread's part goes through the functor in torch's loops; the parts
/// are those of two threads.
template <class F>
void redoEnds(const float* x, float* out, std::int64_t count)
{
    constexpr std::int64_t kPart = 32768; // at::internal::GRAIN_SIZE
    constexpr std::int64_t kTwoVectors = 32;
    const std::int64_t part = count > kPart ? (count + 1) / 2 : count;
    for (std::int64_t begin = 0; begin < count; begin += part) {
        const std::int64_t end = std::min(count, begin + part);
        for (std::int64_t i = end - (end - begin) % kTwoVectors; i < end; ++i)
            out[i] = F{}(x[i]);
    }
}

/// torch's vectors where its loops take them, else the functor.
template <class F>
Result<Value> rowsOf(const Call& call, void (*row)(const float*, float*, std::int64_t))
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if (x.dtype() != ir::DType::Float32 || !x.isContiguous())
        return floatOf(call, F{});
    GB_ASSIGN(Tensor out, contiguousRows(call.context(), x, row));
    redoEnds<F>(x.data<float>(), out.mutableData<float>(), x.elementCount());
    return Value(std::move(out));
}

Result<Value> sigmoid(const Call& call)
{
    return rowsOf<Sigmoid>(call, sigmoidRow);
}

Result<Value> silu(const Call& call)
{
    return rowsOf<Silu>(call, siluRow);
}

Result<Value> gelu(const Call& call)
{
    GB_ASSIGN(const std::string_view approximate, call.text(1, "none"));
    if (approximate == "tanh")
        return floatOf(call, GeluTanh{});
    if (approximate != "none")
        return runtimeError("approximate '{0}', 'none' or 'tanh' expected", approximate);
    GB_ASSIGN(const Tensor x, call.tensor(0));
    if ((x.dtype() == ir::DType::Float32 || x.dtype() == ir::DType::BFloat16) && x.isContiguous()
        && x.elementCount() > 1) {
        GB_ASSIGN(Tensor out, contiguousRows(call.context(), x, geluRow));
        return Value(std::move(out));
    }
    return floatOf(call, GeluErf{});
}

Result<Value> hardtanhBetween(const Call& call, double low, double high)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Tensor out, mapSame(call.context(), x, [low, high]<class T>(T v) {
                  return limited<T>(v, saturated<T>(low), saturated<T>(high));
              }));
    return Value(std::move(out));
}

Result<Value> hardtanh(const Call& call)
{
    GB_ASSIGN(const double low, call.real(1, -1.0));
    GB_ASSIGN(const double high, call.real(2, 1.0));
    return hardtanhBetween(call, low, high);
}

Result<Value> relu6(const Call& call)
{
    return hardtanhBetween(call, 0.0, 6.0);
}

Result<Value> leakyRelu(const Call& call)
{
    GB_ASSIGN(const double slope, call.real(1, 0.01));
    return floatOf(call, [slope]<class T>(T x) { return x > T(0) ? x : x * static_cast<T>(slope); });
}

Result<Value> eluWith(const Call& call, double alpha, double scale, double inputScale)
{
    return floatOf(call, [=]<class T>(T x) {
        if (!(x < T(0)))
            return x * static_cast<T>(scale);
        const double grown = std::expm1(static_cast<double>(x * static_cast<T>(inputScale)));
        return static_cast<T>(grown) * static_cast<T>(alpha * scale);
    });
}

Result<Value> elu(const Call& call)
{
    GB_ASSIGN(const double alpha, call.real(1, 1.0));
    GB_ASSIGN(const double scale, call.real(2, 1.0));
    GB_ASSIGN(const double inputScale, call.real(3, 1.0));
    return eluWith(call, alpha, scale, inputScale);
}

Result<Value> selu(const Call& call)
{
    return eluWith(call, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1.0);
}

Result<Value> celu(const Call& call)
{
    GB_ASSIGN(const double alpha, call.real(1, 1.0));
    if (alpha == 0.0)
        return runtimeError("alpha 0, another number expected");
    return eluWith(call, alpha, 1.0, 1.0 / alpha);
}

Result<Value> softplus(const Call& call)
{
    GB_ASSIGN(const double beta, call.real(1, 1.0));
    GB_ASSIGN(const double threshold, call.real(2, 20.0));
    return floatOf(call, [=]<class T>(T x) {
        const T scaled = x * static_cast<T>(beta);
        return scaled > static_cast<T>(threshold) ? x : std::log1p(std::exp(scaled)) / static_cast<T>(beta);
    });
}

Result<Value> hardshrink(const Call& call)
{
    GB_ASSIGN(const double lambda, call.real(1, 0.5));
    return floatOf(
        call, [=]<class T>(T x) { return x >= static_cast<T>(-lambda) && x <= static_cast<T>(lambda) ? T(0) : x; });
}

Result<Value> softshrink(const Call& call)
{
    GB_ASSIGN(const double lambda, call.real(1, 0.5));
    return floatOf(call, [=]<class T>(T x) {
        const T limit = static_cast<T>(lambda);
        return x > limit ? x - limit : x < -limit ? x + limit : x * T(0);
    });
}

Result<Value> threshold(const Call& call)
{
    GB_ASSIGN(const double limit, call.real(1));
    GB_ASSIGN(const double value, call.real(2));
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Tensor out, mapSame(call.context(), x,
                                  [=]<class T>(T v) { return v <= saturated<T>(limit) ? saturated<T>(value) : v; }));
    return Value(std::move(out));
}

/// One slope, or one for each channel (dimension 1).
Result<Value> prelu(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor weight, call.tensor(1));
    GB_TRY(expectFloat(x, "prelu input"));
    GB_TRY(expectSameDType(x, weight, "prelu"));
    Tensor slope = weight.reshaped({weight.elementCount()});
    if (slope.elementCount() != 1) {
        const std::int64_t channels = x.dim() > 1 ? x.size(1) : 1;
        if (slope.elementCount() != channels)
            return runtimeError("prelu weight {0}, {1} elements expected", ir::describe(weight), channels);
        ir::Shape shape(static_cast<std::size_t>(x.dim()), 1);
        shape[1] = channels;
        slope = slope.reshaped(shape);
    }
    const ir::DType wide = computeDType(x.dtype());
    GB_ASSIGN(const Tensor out, zip(call.context(), x.to(wide), slope.to(wide), wide,
                                    []<class T>(T v, T w) { return static_cast<T>(v > T(0) ? v : v * w); }));
    return Value(out.to(x.dtype()).reshaped(x.shape()));
}

/// The first half times the sigmoid of the second.
Result<Value> glu(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1, -1));
    GB_TRY(expectFloat(x, "glu input"));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    if (x.dim() == 0 || x.size(dim) % 2 != 0)
        return runtimeError("glu of {0} over dimension {1}, an even size expected", ir::describe(x), dim);
    ir::Shape half = x.shape();
    half[static_cast<std::size_t>(dim)] /= 2;
    const Tensor first = x.asStrided(half, x.strides());
    const std::int64_t step = half[static_cast<std::size_t>(dim)] * x.strides()[static_cast<std::size_t>(dim)];
    const Tensor second = x.elementCount() == 0 ? first : x.asStrided(half, x.strides(), step);
    const ir::DType wide = computeDType(x.dtype());
    GB_ASSIGN(const Tensor out, zip(call.context(), first.to(wide), second.to(wide), wide, []<class T>(T a, T b) {
                  if constexpr (std::is_floating_point_v<T>)
                      return static_cast<T>(a * Sigmoid{}(b));
                  else
                      return a;
              }));
    return Value(out.to(x.dtype()));
}

/// Operands below a lower and above an upper limit; a limit that is absent does not limit. NaN wins.
Result<Value> clampBetween(const Call& call, std::size_t lowAt, std::size_t highAt)
{
    const bool hasLow = call.has(lowAt);
    const bool hasHigh = call.has(highAt);
    if (!hasLow && !hasHigh)
        return runtimeError("clamp without limits, 'min' or 'max' expected");
    ResultType type;
    GB_TRY(addOperand(call, 0, type));
    if (hasLow)
        GB_TRY(addOperand(call, lowAt, type));
    if (hasHigh)
        GB_TRY(addOperand(call, highAt, type));
    const ir::DType wide = computeDType(type.get());
    GB_ASSIGN(Tensor out, operandAs(call, 0, wide));
    if (hasLow) {
        GB_ASSIGN(const Tensor low, operandAs(call, lowAt, wide));
        GB_ASSIGN(out, zip(call.context(), out, low, wide, []<class T>(T x, T l) { return x < l || l != l ? l : x; }));
    }
    if (hasHigh) {
        GB_ASSIGN(const Tensor high, operandAs(call, highAt, wide));
        GB_ASSIGN(out, zip(call.context(), out, high, wide, []<class T>(T x, T h) { return x > h || h != h ? h : x; }));
    }
    if (out.sharesStorage(*call.value(0).tensor()))
        out = out.clone();
    return Value(out.to(type.get()));
}

Result<Value> clamp(const Call& call)
{
    return clampBetween(call, 1, 2);
}
Result<Value> clampMin(const Call& call)
{
    return clampBetween(call, 1, call.size());
}
Result<Value> clampMax(const Call& call)
{
    return clampBetween(call, call.size(), 1);
}

/// In inference the tensor itself; in training it would draw random numbers.
Result<Value> dropout(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const double p, call.real(1));
    GB_ASSIGN(const bool train, call.boolean(2, false));
    if (train && p != 0.0)
        return Error{ErrorCode::NoKernel,
                     base::say("dropout {0} in training draws random numbers, train False expected", p),
                     {}};
    return Value(x);
}

constexpr Alias kInPlace = Alias::InPlace;

const KernelRow kRows[] = {
    {"aten.relu.default", relu, "self"},
    {"aten.relu_.default", relu, "self", kInPlace},
    {"aten.relu6.default", relu6, "self"},
    {"aten.relu6_.default", relu6, "self", kInPlace},
    {"aten.hardtanh.default", hardtanh, "self min_val max_val"},
    {"aten.hardtanh_.default", hardtanh, "self min_val max_val", kInPlace},
    {"aten.hardswish.default", plain<Hardswish>, "self"},
    {"aten.hardswish_.default", plain<Hardswish>, "self", kInPlace},
    {"aten.hardsigmoid.default", plain<Hardsigmoid>, "self"},
    {"aten.hardsigmoid_.default", plain<Hardsigmoid>, "self", kInPlace},
    {"aten.sigmoid.default", sigmoid, "self"},
    {"aten.sigmoid_.default", sigmoid, "self", kInPlace},
    {"aten.tanh.default", plain<Tanh>, "self"},
    {"aten.tanh_.default", plain<Tanh>, "self", kInPlace},
    {"aten.silu.default", silu, "self"},
    {"aten.silu_.default", silu, "self", kInPlace},
    {"aten.mish.default", plain<Mish>, "self"},
    {"aten.mish_.default", plain<Mish>, "self", kInPlace},
    {"aten.log_sigmoid.default", plain<LogSigmoid>, "self"},
    {"aten.gelu.default", gelu, "self approximate"},
    {"aten.gelu_.default", gelu, "self approximate", kInPlace},
    {"aten.leaky_relu.default", leakyRelu, "self negative_slope"},
    {"aten.leaky_relu_.default", leakyRelu, "self negative_slope", kInPlace},
    {"aten.elu.default", elu, "self alpha scale input_scale"},
    {"aten.elu_.default", elu, "self alpha scale input_scale", kInPlace},
    {"aten.selu.default", selu, "self"},
    {"aten.celu.default", celu, "self alpha"},
    {"aten.softplus.default", softplus, "self beta threshold"},
    {"aten.hardshrink.default", hardshrink, "self lambd"},
    {"aten.softshrink.default", softshrink, "self lambd"},
    {"aten.threshold.default", threshold, "self threshold value"},
    {"aten.prelu.default", prelu, "self weight"},
    {"aten.glu.default", glu, "self dim"},
    {"aten.clamp.default", clamp, "self min max"},
    {"aten.clamp.Tensor", clamp, "self min max"},
    {"aten.clamp_.default", clamp, "self min max", kInPlace},
    {"aten.clamp_.Tensor", clamp, "self min max", kInPlace},
    {"aten.clip.default", clamp, "self min max"},
    {"aten.clamp_min.default", clampMin, "self min"},
    {"aten.clamp_min.Tensor", clampMin, "self min"},
    {"aten.clamp_min_.default", clampMin, "self min", kInPlace},
    {"aten.clamp_max.default", clampMax, "self max"},
    {"aten.clamp_max.Tensor", clampMax, "self max"},
    {"aten.clamp_max_.default", clampMax, "self max", kInPlace},
    {"aten.dropout.default", dropout, "input p train", Alias::Maybe},
    {"aten.dropout_.default", dropout, "self p train", Alias::Maybe},
    {"aten.feature_dropout.default", dropout, "input p train", Alias::Maybe},
    {"aten.alpha_dropout.default", dropout, "input p train", Alias::Maybe},
};

} // namespace

std::span<const KernelRow> activationKernels()
{
    return kRows;
}

} // namespace gb::ops
