// quantized_decomposed: quantize and dequantize per tensor, per channel, per token.
//
// Source: torch/ao/quantization/fx/_decomposed.py. Each runs in the dtype that torch promotes to: float32, or float64
// where scales with dimensions are float64. To the last bit: x * (1 / scale), rounded to the nearest even integer, plus
// the zero point, clamped.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/quantize_row.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using ir::DType;
using ir::Shape;
using ir::Tensor;

struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
    DType dtype = DType::Int8;
};

/// _quant_min_max_bounds_check.
Status checkRange(const Range& range)
{
    switch (range.dtype) {
    case DType::UInt8:
    case DType::Int8:
    case DType::UInt16:
    case DType::Int16:
    case DType::Int32: break;
    default: return Error{ErrorCode::ValueError, base::say("Unsupported dtype: torch.{0}", ir::name(range.dtype)), {}};
    }
    if (range.low < ir::integerMin(range.dtype))
        return assertionError(base::say("quant_min out of bounds for dtype, quant_min_lower_bound: {0} quant_min: {1}",
                                        ir::integerMin(range.dtype), range.low));
    if (range.high > ir::integerMax(range.dtype))
        return assertionError(base::say("quant_max out of bounds for dtype, quant_max_upper_bound: {0} quant_max: {1}",
                                        ir::integerMax(range.dtype), range.high));
    return {};
}

/// quant_min, quant_max and dtype at three neighbouring positions.
Result<Range> readRange(const Call& call, std::size_t at)
{
    Range out;
    GB_ASSIGN(out.low, call.integer(at));
    GB_ASSIGN(out.high, call.integer(at + 1));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(at + 2));
    if (!dtype)
        return call.wrongType(at + 2, "dtype");
    out.dtype = *dtype;
    return out;
}

/// A float cut to an integer type as the processor does it: what does not fit an int32 (or is NaN) becomes its least
/// value, and the low bits of that remain.
template <class To, class T>
To cut(T value)
{
    const bool fits = value >= T(-2147483648.0) && value < T(2147483648.0);
    return static_cast<To>(static_cast<std::int32_t>(fits ? value : T(-2147483648.0))); // a select: it vectorises
}

/// Half to the even integer (the rounding mode is never changed).
template <class T>
T roundEven(T x)
{
    return std::nearbyint(x);
}

Result<Tensor> floatInput(const Tensor& x)
{
    if (isHalf(x.dtype()))
        return x.to(DType::Float32);
    if (x.dtype() != DType::Float32)
        return assertionError(
            base::say("Expecting input to have dtype torch.float32, but got dtype: torch.{0}", ir::name(x.dtype())));
    return x;
}

/// quantizeRow for every row of x: whole ones where its elements are neighbours and share their qparams, else one by
/// one. qparams(i) gives those of element i of a row that begins at the operands' offsets.
template <class To, class At, class F>
void quantizeElements(const float* x, To* o, std::int64_t count, const At& strides, bool shared, const F& qparams)
{
    const bool whole = strides[0] == 1 && strides[1] == 1 && shared;
    for (std::int64_t i = 0; i < count; i += whole ? count : 1)
        quantizeRow(x + i * strides[1], o + i * strides[0], whole ? count : 1, qparams(i));
}

template <class To>
void quantizeRows(const Context& context, const Tensor& x, Tensor& out, const RowQParams& qparams)
{
    if constexpr (kHasQuantizeRow<To>) {
        if (roundsNear(qparams.zero)) {
            To* to = out.mutableData<To>();
            const auto* in = x.data<float>();
            forEachRow<2>(context, {&out, &x}, [&](const auto& at, std::int64_t count, const auto& strides) {
                quantizeElements(in + at[1], to + at[0], count, strides, true, [&](std::int64_t) { return qparams; });
            });
            return;
        }
    }
    mapRows<float, To>(context, out, x, [=](float v) {
        const float moved = roundEven(v * qparams.inverse) + qparams.zero;
        const float raised = moved < qparams.low ? qparams.low : moved;
        return cut<To>(raised > qparams.high ? qparams.high : raised);
    });
}

Result<Value> quantizeWith(const Call& call, double scale, std::int64_t zeroPoint)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const Range range, readRange(call, 3));
    GB_ASSIGN(const Tensor x, floatInput(given));
    GB_TRY(checkRange(range));
    if (scale == 0.0)
        return runtimeError("scale 0, another number expected");
    GB_ASSIGN(Tensor out, makeTensor(range.dtype, x.shape()));
    ir::dispatch(range.dtype, [&]<class To>() {
        if constexpr (std::is_integral_v<To>)
            quantizeRows<To>(call.context(), x, out,
                             {static_cast<float>(1.0 / scale), static_cast<float>(zeroPoint),
                              static_cast<float>(range.low), static_cast<float>(range.high)});
    });
    return Value(std::move(out));
}

Result<Value> quantizePerTensor(const Call& call)
{
    GB_ASSIGN(const double scale, call.real(1));
    GB_ASSIGN(const std::int64_t zeroPoint, call.integer(2));
    return quantizeWith(call, scale, zeroPoint);
}

Status expectOneElement(const Tensor& tensor, const char* what)
{
    if (tensor.elementCount() == 1)
        return {};
    return assertionError(
        base::say("Expecting {0} tensor to be one element, but received : {1}", what, tensor.elementCount()));
}

struct TensorQParams {
    double scale = 1;
    std::int64_t zeroPoint = 0;
};

Result<TensorQParams> readTensorQParams(const Call& call)
{
    GB_ASSIGN(const Tensor scale, call.tensor(1));
    GB_ASSIGN(const Tensor zeroPoint, call.tensor(2));
    GB_TRY(expectOneElement(zeroPoint, "zero_point"));
    GB_TRY(expectOneElement(scale, "scale"));
    return TensorQParams{scale.at(0), static_cast<std::int64_t>(zeroPoint.at(0))};
}

Result<Value> quantizePerTensorTensor(const Call& call)
{
    GB_ASSIGN(const TensorQParams qparams, readTensorQParams(call));
    return quantizeWith(call, qparams.scale, qparams.zeroPoint);
}

Result<Value> dequantizeWith(const Call& call, double scale, std::int64_t zeroPoint)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Range range, readRange(call, 3));
    GB_ASSIGN(const std::optional<DType> outDType, call.dtype(6));
    if (x.dtype() != range.dtype)
        return assertionError(base::say("Expecting input to have dtype: torch.{0}, but got torch.{1}",
                                        ir::name(range.dtype), ir::name(x.dtype())));
    const DType dtype = outDType.value_or(DType::Float32);
    if (!ir::isInteger(x.dtype()) || !ir::isFloatingPoint(dtype))
        return Error{ErrorCode::ValueError,
                     base::say("Unsupported dtype in dequantize_per_tensor: torch.{0}", ir::name(range.dtype)),
                     {}};
    // a half result is rounded after each of the two steps, as torch does
    GB_ASSIGN(const Tensor moved, mapSame(call.context(), x.to(dtype), [zeroPoint]<class T>(T v) {
                  return static_cast<T>(v - static_cast<T>(zeroPoint));
              }));
    GB_ASSIGN(Tensor out, mapSame(call.context(), moved,
                                  [scale]<class T>(T v) { return static_cast<T>(v * static_cast<T>(scale)); }));
    return Value(std::move(out));
}

Result<Value> dequantizePerTensor(const Call& call)
{
    GB_ASSIGN(const double scale, call.real(1));
    GB_ASSIGN(const std::int64_t zeroPoint, call.integer(2));
    return dequantizeWith(call, scale, zeroPoint);
}

Result<Value> dequantizePerTensorTensor(const Call& call)
{
    GB_ASSIGN(const TensorQParams qparams, readTensorQParams(call));
    return dequantizeWith(call, qparams.scale, qparams.zeroPoint);
}

/// Scales and zero points seen with the shape of x, in the dtype that the op computes in.
struct Channels {
    Tensor scales;
    Tensor zeroPoints;
    DType dtype = DType::Float32;
};

Result<Tensor> alongAxis(const Tensor& values, const Tensor& x, std::int64_t axis)
{
    if (values.elementCount() != x.size(axis) && values.elementCount() != 1)
        return runtimeError("{0} for a channel axis of size {1}, one element a channel expected", ir::describe(values),
                            x.size(axis));
    Shape shape(x.shape().size(), 1);
    shape[static_cast<std::size_t>(axis)] = values.elementCount();
    return broadcastTo(values.reshaped(shape), x.shape());
}

Result<Channels> readChannels(const Call& call, const Tensor& x)
{
    GB_ASSIGN(const Tensor scales, call.tensor(1));
    GB_ASSIGN(std::optional<Tensor> zeroPoints, call.maybeTensor(2));
    GB_ASSIGN(const std::int64_t given, call.integer(3));
    GB_TRY(expectFloat(scales, "scales"));
    if (given >= x.dim())
        return assertionError(base::say("Expecting axis to be < {0}", x.dim()));
    GB_ASSIGN(const std::int64_t axis, wrapDim(given, x.dim()));
    Channels out;
    out.dtype = scales.dtype() == DType::Float64 ? DType::Float64 : DType::Float32;
    if (!zeroPoints)
        zeroPoints = Tensor::zeros(DType::Int64, scales.shape());
    if (zeroPoints->dtype() == DType::Float64)
        out.dtype = DType::Float64;
    GB_ASSIGN(out.scales, alongAxis(scales.to(out.dtype), x, axis));
    GB_ASSIGN(out.zeroPoints, alongAxis(zeroPoints->to(out.dtype), x, axis));
    return out;
}

/// step(x, scale, zero point) for every element.
template <class T, class To, class F>
void channelRows(const Context& context, Tensor& out, const Tensor& x, const Channels& channels, const F& step)
{
    To* to = out.mutableData<To>();
    const T* in = x.data<T>();
    const T* scales = channels.scales.data<T>();
    const T* zeros = channels.zeroPoints.data<T>();
    forEachRow<4>(context, {&out, &x, &channels.scales, &channels.zeroPoints},
                  [&](const auto& at, std::int64_t count, const auto& strides) {
                      for (std::int64_t i = 0; i < count; ++i)
                          to[at[0] + i * strides[0]] = step(in[at[1] + i * strides[1]], scales[at[2] + i * strides[2]],
                                                            zeros[at[3] + i * strides[3]]);
                  });
}

/// True when quantizeRow may be called with every zero point (zeros: broadcast, float32).
bool zerosAreNear(const Tensor& zeros)
{
    // the elements that the broadcast view repeats, once each
    Shape shape = zeros.shape();
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (zeros.strides()[axis] == 0 && shape[axis] > 0)
            shape[axis] = 1;
    for (const double zero : zeros.asStrided(shape, zeros.strides()).toDoubles())
        if (!roundsNear(static_cast<float>(zero)))
            return false;
    return true;
}

template <class To>
void nearChannels(const Context& context, Tensor& out, const Tensor& x, const Channels& channels, float low, float high)
{
    To* to = out.mutableData<To>();
    const auto* in = x.data<float>();
    const auto* scales = channels.scales.data<float>();
    const auto* zeros = channels.zeroPoints.data<float>();
    forEachRow<4>(
        context, {&out, &x, &channels.scales, &channels.zeroPoints},
        [&](const auto& at, std::int64_t count, const auto& strides) {
            const bool shared = strides[2] == 0 && strides[3] == 0;
            quantizeElements(in + at[1], to + at[0], count, strides, shared, [&](std::int64_t i) {
                return RowQParams{1.0F / scales[at[2] + i * strides[2]], zeros[at[3] + i * strides[3]], low, high};
            });
        });
}

enum class RoundFirst : std::uint8_t { Product, Sum };

/// Per channel the product is rounded before the zero point is added; per token the sum is.
template <class T>
Tensor quantizeChannels(const Context& context, const Tensor& x, const Channels& channels, const Range& range,
                        RoundFirst order, Tensor out)
{
    const Tensor in = x.to(channels.dtype);
    const T low = static_cast<T>(range.low);
    const T high = static_cast<T>(range.high);
    ir::dispatch(range.dtype, [&]<class To>() {
        if constexpr (std::is_integral_v<To>) {
            const auto clamped = [=](T moved) {
                const T raised = moved < low ? low : moved;
                return cut<To>(raised > high ? high : raised);
            };
            if constexpr (std::is_same_v<T, float> && kHasQuantizeRow<To>)
                if (order == RoundFirst::Product && zerosAreNear(channels.zeroPoints)) {
                    nearChannels<To>(context, out, in, channels, low, high);
                    return;
                }
            channelRows<T, To>(context, out, in, channels, [=](T v, T scale, T zero) {
                const T product = v * (T(1) / scale);
                return clamped(order == RoundFirst::Product ? roundEven(product) + zero : roundEven(product + zero));
            });
        }
    });
    return out;
}

Result<Value> quantizeBy(const Call& call, const Tensor& x, const Channels& channels, const Range& range,
                         RoundFirst order)
{
    GB_ASSIGN(Tensor out, makeTensor(range.dtype, x.shape()));
    if (channels.dtype == DType::Float64)
        return Value(quantizeChannels<double>(call.context(), x, channels, range, order, std::move(out)));
    return Value(quantizeChannels<float>(call.context(), x, channels, range, order, std::move(out)));
}

Result<Value> quantizePerChannel(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const Tensor x, floatInput(given));
    GB_ASSIGN(const Range range, readRange(call, 4));
    GB_ASSIGN(const Channels channels, readChannels(call, x));
    GB_TRY(checkRange(range));
    return quantizeBy(call, x, channels, range, RoundFirst::Product);
}

Result<Value> dequantizeBy(const Call& call, const Tensor& x, const Channels& channels, DType outDType)
{
    GB_ASSIGN(Tensor out, makeTensor(channels.dtype, x.shape()));
    const Tensor in = x.to(channels.dtype);
    const auto step = [](auto v, auto scale, auto zero) { return (v - zero) * scale; };
    if (channels.dtype == DType::Float64)
        channelRows<double, double>(call.context(), out, in, channels, step);
    else
        channelRows<float, float>(call.context(), out, in, channels, step);
    return Value(out.to(outDType));
}

Result<Value> dequantizePerChannel(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Range range, readRange(call, 4));
    GB_ASSIGN(const std::optional<DType> outDType, call.dtype(7));
    if (x.dtype() != range.dtype)
        return assertionError(base::say("Expecting input to have dtype: torch.{0}, but got dtype: torch.{1}",
                                        ir::name(range.dtype), ir::name(x.dtype())));
    GB_ASSIGN(const Channels channels, readChannels(call, x));
    GB_TRY(checkRange(range));
    return dequantizeBy(call, x, channels, outDType.value_or(DType::Float32));
}

/// One scale and zero point for each row of the last dimension.
Result<Channels> readTokens(const Call& call, const Tensor& x)
{
    GB_ASSIGN(const Tensor scales, call.tensor(1));
    GB_ASSIGN(const Tensor zeroPoints, call.tensor(2));
    GB_TRY(expectReal(x));
    GB_TRY(expectFloat(scales, "scales"));
    std::int64_t tokens = 1;
    for (std::int64_t dim = 0; dim + 1 < x.dim(); ++dim)
        tokens *= x.size(dim);
    if (tokens != scales.elementCount())
        return assertionError(base::say("num_tokens: {0} scales: {1}", tokens, ir::toText(scales.shape())));
    if (tokens != zeroPoints.elementCount())
        return assertionError(base::say("num_tokens: {0} zero_points: {1}", tokens, ir::toText(zeroPoints.shape())));
    Channels out;
    const bool wide = scales.dtype() == DType::Float64 || zeroPoints.dtype() == DType::Float64;
    out.dtype = wide ? DType::Float64 : DType::Float32;
    GB_ASSIGN(out.scales, broadcastTo(scales.to(out.dtype), x.shape()));
    GB_ASSIGN(out.zeroPoints, broadcastTo(zeroPoints.to(out.dtype), x.shape()));
    return out;
}

Result<Value> quantizePerToken(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Range range, readRange(call, 3));
    GB_TRY(checkRange(range));
    GB_ASSIGN(const Channels channels, readTokens(call, x));
    return quantizeBy(call, x, channels, range, RoundFirst::Sum);
}

Result<Value> dequantizePerToken(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Channels channels, readTokens(call, x));
    GB_ASSIGN(const std::optional<DType> outDType, call.dtype(6));
    return dequantizeBy(call, x, channels, outDType.value_or(DType::Float32));
}

Result<Value> convertElementType(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    if (!dtype)
        return call.wrongType(1, "dtype");
    GB_TRY(expectReal(x));
    GB_TRY(expectReal(Tensor::empty(*dtype, {0})));
    return Value(x.to(*dtype));
}

constexpr const char* kPerTensor = "input scale zero_point quant_min quant_max dtype";
constexpr const char* kPerTensorOut = "input scale zero_point quant_min quant_max dtype out_dtype";

const KernelRow kRows[] = {
    {"quantized_decomposed.quantize_per_tensor.default", quantizePerTensor, kPerTensor},
    {"quantized_decomposed.quantize_per_tensor.tensor", quantizePerTensorTensor, kPerTensor},
    {"quantized_decomposed.quantize_per_tensor.tensor2", quantizePerTensorTensor, kPerTensor},
    {"quantized_decomposed.dequantize_per_tensor.default", dequantizePerTensor, kPerTensorOut},
    {"quantized_decomposed.dequantize_per_tensor.tensor", dequantizePerTensorTensor, kPerTensorOut},
    {"quantized_decomposed.dequantize_per_tensor.tensor2", dequantizePerTensorTensor, kPerTensorOut},
    {"quantized_decomposed.quantize_per_channel.default", quantizePerChannel,
     "input scales zero_points axis quant_min quant_max dtype"},
    {"quantized_decomposed.dequantize_per_channel.default", dequantizePerChannel,
     "input scales zero_points axis quant_min quant_max dtype out_dtype"},
    {"quantized_decomposed.quantize_per_token.default", quantizePerToken,
     "input scales zero_points quant_min quant_max dtype"},
    {"quantized_decomposed.dequantize_per_token.default", dequantizePerToken,
     "input scales zero_points quant_min quant_max dtype output_dtype"},
    {"quantized_decomposed.convert_element_type.no_fuse", convertElementType, "input dtype", Alias::Maybe},
};

} // namespace

std::span<const KernelRow> quantizeKernels()
{
    return kRows;
}

} // namespace gb::ops
