// quantized_decomposed.choose_qparams: what dynamic quantization computes at run time.
//
// Source: torch/ao/quantization/fx/_decomposed.py, torch/ao/quantization/utils.py (determine_qparams).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/rows.h"

#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using ir::Tensor;

/// Smallest and largest element; NaN when there is one.
struct MinMax {
    float low = 0;
    float high = 0;
};

MinMax minMaxOf(const float* values, std::int64_t count)
{
    MinMax out{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    for (std::int64_t i = 0; i < count; ++i) {
        if (values[i] != values[i])
            return {values[i], values[i]};
        out.low = std::min(out.low, values[i]);
        out.high = std::max(out.high, values[i]);
    }
    return out;
}

/// The value as an element of a half tensor would hold it.
float rounded(float value, DType dtype)
{
    return isHalf(dtype) ? static_cast<float>(Tensor::scalar(value).to(dtype).at(0)) : value;
}

struct ChooseArguments {
    MinMax range;
    DType input = DType::Float32;
    std::int64_t low = 0;
    std::int64_t high = 0;
    float eps = 0;
    DType dtype = DType::Int8;
};

Result<ChooseArguments> read(const Call& call)
{
    ChooseArguments out;
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(out.low, call.integer(1));
    GB_ASSIGN(out.high, call.integer(2));
    GB_ASSIGN(const double eps, call.real(3));
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(4));
    if (!dtype)
        return call.wrongType(4, "dtype");
    if (x.dtype() != DType::Float32 && !isHalf(x.dtype()))
        return assertionError(base::say("Expecting input to have dtype torch.float32/16/b16, but got dtype: torch.{0}",
                                        ir::name(x.dtype())));
    if (!(out.low <= 0 && 0 <= out.high))
        return assertionError("Used-specified quantization range must include 0.");
    if (out.low >= out.high)
        return assertionError("qmin must be strictly less than qmax for user-specified quantization range.");
    if (x.elementCount() == 0)
        return runtimeError("smallest and largest of {0}, elements expected", ir::describe(x));
    const Tensor values = x.to(DType::Float32).contiguous();
    out.range = minMaxOf(values.data<float>(), values.elementCount());
    out.input = x.dtype();
    out.eps = static_cast<float>(eps);
    out.dtype = *dtype;
    return out;
}

Value pairOf(double scale, std::int64_t zeroPoint)
{
    return ValueList{Tensor::fromVector(std::vector<double>{scale}),
                     Tensor::fromVector(std::vector<std::int64_t>{zeroPoint})};
}

/// torch.max of a scale with eps: NaN wins.
float atLeast(float scale, float eps)
{
    return scale != scale || scale > eps ? scale : eps;
}

float smallest(float value)
{
    return value < 0.0F || value != value ? value : 0.0F;
}

float largest(float value)
{
    return value > 0.0F || value != value ? value : 0.0F;
}

/// A float cut to int32; what does not fit becomes its least value, as the processor does it.
std::int64_t cut(float value)
{
    return value >= -2147483648.0F && value < 2147483648.0F ? static_cast<std::int64_t>(value)
                                                            : std::numeric_limits<std::int32_t>::min();
}

Result<Value> chooseAffine(const Call& call)
{
    GB_ASSIGN(const ChooseArguments a, read(call));
    const float low = smallest(a.range.low);
    const float high = largest(a.range.high);
    const float span = rounded(high - low, a.input);
    const float scale = atLeast(rounded(span / static_cast<float>(a.high - a.low), a.input), a.eps);
    // in int32, wrapping around, as torch's tensors do
    const auto zero = static_cast<std::int32_t>(static_cast<std::uint64_t>(a.low)
                                                - static_cast<std::uint64_t>(cut(std::nearbyint(low / scale))));
    return pairOf(static_cast<double>(scale), std::clamp<std::int64_t>(zero, a.low, a.high));
}

Result<Value> chooseSymmetric(const Call& call)
{
    GB_ASSIGN(const ChooseArguments a, read(call));
    const float reach = std::max(-smallest(a.range.low), largest(a.range.high));
    const float half = static_cast<float>(static_cast<double>(a.high - a.low) / 2.0);
    const float scale = atLeast(rounded(reach / half, a.input), a.eps);
    return pairOf(static_cast<double>(scale), a.dtype == DType::UInt8 ? 128 : 0);
}

struct TokenRows {
    Rows rows;
    Tensor scales;     ///< float64, to be filled
    Tensor zeroPoints; ///< int64, to be filled
};

Result<TokenRows> readTokens(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectFloat(x, "input"));
    if (x.dim() == 0 || x.size(-1) == 0)
        return runtimeError("per token qparams of {0}, elements in the last dimension expected", ir::describe(x));
    TokenRows out;
    out.rows = rowsAlong(x.to(DType::Float32), {x.dim() - 1});
    out.scales = Tensor::empty(DType::Float64, out.rows.withOnes);
    out.zeroPoints = Tensor::zeros(DType::Int64, out.rows.withOnes);
    return out;
}

/// Symmetric int8; scales and zero points are float32.
Result<Value> choosePerToken(const Call& call)
{
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(1));
    if (dtype != DType::Int8)
        return Error{
            ErrorCode::Exception,
            base::say("unsupported dtype in choose_qparams_per_token: torch.{0}", dtype ? ir::name(*dtype) : "None"),
            {}};
    GB_ASSIGN(TokenRows tokens, readTokens(call));
    for (std::int64_t row = 0; row < tokens.rows.count; ++row) {
        const MinMax range = minMaxOf(tokens.rows.values.data<float>() + row * tokens.rows.width, tokens.rows.width);
        const float reach = std::max(std::fabs(range.low), std::fabs(range.high));
        tokens.scales.mutableData<double>()[row] = static_cast<double>(atLeast(reach, 1e-5F) / 127.0F);
    }
    return Value(ValueList{tokens.scales.to(DType::Float32), tokens.zeroPoints.to(DType::Float32)});
}

Result<Value> choosePerTokenAsymmetric(const Call& call)
{
    GB_ASSIGN(TokenRows tokens, readTokens(call));
    constexpr float kLow = -128.0F;
    constexpr float kHigh = 127.0F;
    for (std::int64_t row = 0; row < tokens.rows.count; ++row) {
        const MinMax range = minMaxOf(tokens.rows.values.data<float>() + row * tokens.rows.width, tokens.rows.width);
        const float low = smallest(range.low);
        const float high = largest(range.high);
        const float scale = atLeast((high - low) / (kHigh - kLow), std::numeric_limits<float>::epsilon());
        const float down = low / scale;
        const float up = high / scale;
        const float zero = (kLow + down) + (kHigh + up) > 0.0F ? kLow - down : kHigh - up;
        tokens.scales.mutableData<double>()[row] = static_cast<double>(scale);
        tokens.zeroPoints.mutableData<std::int64_t>()[row] =
            static_cast<std::int64_t>(std::nearbyint(std::clamp(zero, kLow, kHigh)));
    }
    return Value(ValueList{tokens.scales, tokens.zeroPoints});
}

constexpr const char* kNames = "input quant_min quant_max eps dtype";

const KernelRow kRows[] = {
    {"quantized_decomposed.choose_qparams.tensor", chooseAffine, kNames},
    {"quantized_decomposed.choose_qparams_symmetric.tensor", chooseSymmetric, kNames},
    {"quantized_decomposed.choose_qparams_per_token.default", choosePerToken, "input dtype"},
    {"quantized_decomposed.choose_qparams_per_token_asymmetric.default", choosePerTokenAsymmetric, "input dtype"},
    {"quantized_decomposed._choose_qparams_per_token_asymmetric_impl.default", choosePerTokenAsymmetric, "input dtype"},
};

} // namespace

std::span<const KernelRow> chooseQParamsKernels()
{
    return kRows;
}

} // namespace gb::ops
