// Quantize ops with one scale for each block of a tensor: torchao's affine ops and the per-channel-group ones.
//
// Source: torchao/quantization/quant_primitives.py (_quantize_affine, _dequantize_affine, _choose_qparams_affine),
// torch/ao/quantization/fx/_decomposed.py (quantize_per_channel_group).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using ir::DType;
using ir::Shape;
using ir::Tensor;

/// A tensor cut into blocks: its shape with each dimension as (blocks, elements of a block).
struct Blocks {
    Shape split;
    Shape counts; ///< blocks along each dimension
};

Result<Blocks> blocksOf(const Tensor& x, const Shape& size)
{
    if (size.size() != x.shape().size())
        return assertionError(base::say("Got input dim:{0}, block_size: {1}", x.dim(), ir::toText(size)));
    Blocks out;
    for (std::size_t i = 0; i < size.size(); ++i) {
        const std::int64_t whole = x.shape()[i];
        if (size[i] < 1 || whole % size[i] != 0)
            return assertionError(
                base::say("Expecting input size at {0} dimension: {1} to be divisible by block_size at {0} "
                          "dimension: {2}",
                          i, whole, size[i]));
        out.counts.push_back(whole / size[i]);
        out.split.insert(out.split.end(), {whole / size[i], size[i]});
    }
    return out;
}

/// One value a block, seen with an element's shape: [blocks, elements, ...].
Result<Tensor> spread(const Tensor& values, const Blocks& blocks, const char* what)
{
    std::int64_t count = 1;
    for (const std::int64_t n : blocks.counts)
        count *= n;
    if (values.elementCount() != count)
        return runtimeError("{0} {1} for {2} blocks, one element a block expected", what, ir::describe(values), count);
    const Tensor shaped = values.contiguous().reshaped(blocks.counts);
    Shape strides;
    for (const std::int64_t stride : shaped.strides())
        strides.insert(strides.end(), {stride, 0});
    return shaped.asStrided(blocks.split, strides);
}

struct Range {
    double low = 0;
    double high = 0;
};

/// _get_and_check_qmin_qmax: the dtype's own limits where none are given.
Result<Range> readRange(const Call& call, std::size_t at, DType dtype)
{
    switch (dtype) {
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32: break;
    default: return Error{ErrorCode::ValueError, base::say("Unsupported dtype: torch.{0}", ir::name(dtype)), {}};
    }
    const auto least = static_cast<double>(ir::integerMin(dtype));
    const auto most = static_cast<double>(ir::integerMax(dtype));
    Range out;
    GB_ASSIGN(out.low, call.real(at, least));
    GB_ASSIGN(out.high, call.real(at + 1, most));
    if (out.low < least)
        return assertionError(
            base::say("quant_min out of bound for dtype, quant_min_lower_bound: {0} quant_min: {1}", least, out.low));
    if (out.high > most)
        return assertionError(
            base::say("quant_max out of bound for dtype, quant_max_upper_bound: {0} quant_max: {1}", most, out.high));
    return out;
}

Result<DType> dtypeArgument(const Call& call, std::size_t at)
{
    GB_ASSIGN(const std::optional<DType> dtype, call.dtype(at));
    if (!dtype)
        return call.wrongType(at, "dtype");
    return *dtype;
}

bool isComputable(DType dtype)
{
    return dtype == DType::Float32 || isHalf(dtype);
}

/// f(element, scale, zero point) in float32 over x [blocks, elements, ...].
template <class F>
Result<Tensor> overBlocks(const Context& context, const Tensor& x, const Tensor& scales, const Tensor& zeros,
                          const Shape& shape, const F& f)
{
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, x.shape()));
    float* to = out.mutableData<float>();
    const float* from = x.data<float>();
    const float* scale = scales.data<float>();
    const float* zero = zeros.data<float>();
    forEachRow<4>(context, {&out, &x, &scales, &zeros}, [&](const auto& at, std::int64_t count, const auto& step) {
        for (std::int64_t i = 0; i < count; ++i)
            to[at[0] + i * step[0]] =
                f(from[at[1] + i * step[1]], scale[at[2] + i * step[2]], zero[at[3] + i * step[3]]);
    });
    return out.reshaped(shape);
}

enum class RoundFirst : std::uint8_t { Product, Sum };

/// As floats in [low, high]. The affine op rounds the product, the group op the sum with the zero point.
Result<Tensor> quantized(const Context& context, const Tensor& x, const Blocks& blocks, const Tensor& scale,
                         const Tensor& zero, const Range& range, RoundFirst order)
{
    const auto low = static_cast<float>(range.low);
    const auto high = static_cast<float>(range.high);
    GB_ASSIGN(const Tensor scales, spread(scale.to(DType::Float32), blocks, "scales"));
    GB_ASSIGN(const Tensor zeros, spread(zero.to(DType::Float32), blocks, "zero points"));
    const Tensor values = x.to(DType::Float32).contiguous().reshaped(blocks.split);
    return overBlocks(context, values, scales, zeros, x.shape(), [=](float v, float s, float z) {
        const float product = v * (1.0F / s);
        const float moved = order == RoundFirst::Product ? std::nearbyint(product) + z : std::nearbyint(product + z);
        return std::min(std::max(moved, low), high);
    });
}

Result<Value> quantizeAffine(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape size, call.ints(1));
    GB_ASSIGN(const Tensor scale, call.tensor(2));
    GB_ASSIGN(const std::optional<Tensor> zero, call.maybeTensor(3));
    GB_ASSIGN(const DType dtype, dtypeArgument(call, 4));
    GB_ASSIGN(const Range range, readRange(call, 5, dtype));
    if (!isComputable(x.dtype()))
        return assertionError(base::say("Unsupported input dtype: torch.{0}", ir::name(x.dtype())));
    GB_ASSIGN(const Blocks blocks, blocksOf(x, size));
    if (!zero || zero->elementCount() == 0)
        return call.wrongType(3, "tensor");
    GB_ASSIGN(const Tensor out, quantized(call.context(), x, blocks, scale, *zero, range, RoundFirst::Product));
    return Value(out.to(dtype));
}

/// (x - zero) * scale; the difference is rounded to a half result's type first.
Result<Tensor> dequantized(const Context& context, const Tensor& x, const Blocks& blocks, const Tensor& scale,
                           const std::optional<Tensor>& zero, DType dtype)
{
    GB_ASSIGN(const Tensor scales, spread(scale.to(DType::Float32), blocks, "scales"));
    const Tensor none = Tensor::zeros(DType::Float32, blocks.counts);
    GB_ASSIGN(const Tensor zeros, spread(zero ? zero->to(dtype).to(DType::Float32) : none, blocks, "zero points"));
    const Tensor values = x.to(dtype).to(DType::Float32).contiguous().reshaped(blocks.split);
    GB_ASSIGN(const Tensor moved,
              overBlocks(context, values, scales, zeros, blocks.split, [](float v, float, float z) { return v - z; }));
    GB_ASSIGN(const Tensor out, overBlocks(context, moved.to(dtype).to(DType::Float32), scales, zeros, x.shape(),
                                           [](float v, float s, float) { return v * s; }));
    return out.to(dtype);
}

Result<Value> dequantizeAffine(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape size, call.ints(1));
    GB_ASSIGN(const Tensor scale, call.tensor(2));
    GB_ASSIGN(const std::optional<Tensor> zero, call.maybeTensor(3));
    GB_ASSIGN(const DType dtype, dtypeArgument(call, 4));
    GB_ASSIGN(const std::optional<DType> given, call.dtype(7));
    const DType result = given.value_or(DType::Float32);
    if (x.dtype() != dtype)
        return assertionError(base::say("Expected: torch.{0}, got: torch.{1}", ir::name(dtype), ir::name(x.dtype())));
    if (!isComputable(result))
        return assertionError(base::say("Unsupported output dtype: torch.{0}", ir::name(result)));
    GB_TRY(readRange(call, 5, dtype));
    GB_ASSIGN(const Blocks blocks, blocksOf(x, size));
    GB_ASSIGN(Tensor out, dequantized(call.context(), x, blocks, scale, zero, result));
    return Value(std::move(out));
}

/// Smallest and largest element of each block, each with 0; NaN where there is one.
struct Limits {
    std::vector<float> low;
    std::vector<float> high;
};

Limits limitsOf(const Tensor& x, const Blocks& blocks)
{
    Limits out;
    std::int64_t count = 1;
    for (const std::int64_t n : blocks.counts)
        count *= n;
    out.low.assign(static_cast<std::size_t>(count), 0.0F);
    out.high = out.low;
    const auto* values = x.data<float>();
    for (std::int64_t i = 0; i < x.elementCount(); ++i) {
        std::int64_t left = i;
        std::int64_t block = 0;
        std::int64_t stride = 1;
        for (std::size_t axis = blocks.counts.size(); axis-- > 0;) {
            const std::int64_t size = blocks.split[2 * axis] * blocks.split[2 * axis + 1];
            block += left % size / blocks.split[2 * axis + 1] * stride;
            stride *= blocks.counts[axis];
            left /= size;
        }
        const float v = values[i];
        float& low = out.low[static_cast<std::size_t>(block)];
        float& high = out.high[static_cast<std::size_t>(block)];
        low = v < low || v != v ? v : low;
        high = v > high || v != v ? v : high;
    }
    return out;
}

enum class Mapping : std::uint8_t { Symmetric, NoClipping, Asymmetric };

Result<Mapping> readMapping(const Call& call)
{
    GB_ASSIGN(const std::string_view name, call.text(1, ""));
    if (name == "SYMMETRIC")
        return Mapping::Symmetric;
    if (name == "SYMMETRIC_NO_CLIPPING_ERR")
        return Mapping::NoClipping;
    if (name == "ASYMMETRIC")
        return Mapping::Asymmetric;
    return assertionError(base::say("Unsupported mapping type: {0}", name));
}

struct QParams {
    float scale = 1;
    float zero = 0;
};

/// torch.clamp(min=eps): NaN stays.
float atLeast(float scale, float eps)
{
    return scale < eps ? eps : scale;
}

QParams qparamsOf(float low, float high, const Range& range, Mapping mapping, float eps)
{
    const double steps = range.high - range.low;
    const auto middle = static_cast<float>(std::trunc((range.high + range.low + 1) / 2));
    switch (mapping) {
    case Mapping::Symmetric: {
        const float reach = -low > high || low != low ? -low : high;
        return {atLeast(reach / static_cast<float>(steps / 2), eps), middle};
    }
    case Mapping::NoClipping: {
        const float down = low / static_cast<float>(range.low);
        const float up = high / static_cast<float>(range.high);
        return {atLeast(down > up ? down : up, eps), middle};
    }
    case Mapping::Asymmetric: break;
    }
    const float scale = atLeast((high - low) / static_cast<float>(steps), eps);
    const float zero = static_cast<float>(range.low) - std::nearbyint(low / scale);
    return {scale, std::min(std::max(zero, static_cast<float>(range.low)), static_cast<float>(range.high))};
}

/// The shape of the qparams: all blocks, or without the dimensions that one block spans.
Shape qparamsShape(const Blocks& blocks, const Shape& size, bool keepDim)
{
    if (keepDim)
        return blocks.counts;
    Shape out;
    for (std::size_t i = 0; i < size.size(); ++i)
        if (size[i] == 1 || blocks.counts[i] != 1)
            out.push_back(blocks.counts[i]);
    return out;
}

Result<Value> chooseQParamsAffine(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Mapping mapping, readMapping(call));
    GB_ASSIGN(const Shape size, call.ints(2));
    GB_ASSIGN(const DType target, dtypeArgument(call, 3));
    GB_ASSIGN(const Range range, readRange(call, 4, target));
    GB_ASSIGN(const double eps, call.real(6, static_cast<double>(std::numeric_limits<float>::min())));
    GB_ASSIGN(const std::optional<DType> scaleType, call.dtype(7));
    GB_ASSIGN(const std::optional<DType> zeroType, call.dtype(8));
    GB_ASSIGN(const bool keepDim, call.boolean(9, false));
    if (x.dtype() != DType::Float32)
        return notImplemented("affine qparams of {0}, float32 expected", ir::describe(x));
    // blocks of one element leave no dimension to reduce, which torch's amin takes for all of them
    const bool single = std::ranges::all_of(size, [](std::int64_t n) { return n == 1; });
    GB_ASSIGN(const Blocks asked, blocksOf(x, size));
    GB_ASSIGN(const Blocks blocks, single ? blocksOf(x, x.shape()) : Result<Blocks>(asked));
    if (single && keepDim && x.elementCount() != 1)
        return runtimeError("one pair of qparams as {0}, one block expected", ir::toText(asked.counts));
    if (x.elementCount() == 0)
        return runtimeError("affine qparams of {0}, elements expected", ir::describe(x));
    const Limits limits = limitsOf(x.contiguous(), blocks);
    std::vector<float> scales;
    std::vector<float> zeros;
    for (std::size_t i = 0; i < limits.low.size(); ++i) {
        const QParams each = qparamsOf(limits.low[i], limits.high[i], range, mapping, static_cast<float>(eps));
        scales.push_back(each.scale);
        zeros.push_back(each.zero);
    }
    const Shape shape = single && !keepDim ? Shape{} : qparamsShape(asked, size, keepDim);
    const DType zeroDefault = mapping == Mapping::Asymmetric ? DType::Int32 : DType::Float32;
    return Value(ValueList{Tensor::fromVector(scales, shape).to(scaleType.value_or(x.dtype())),
                           Tensor::fromVector(zeros, shape).to(zeroType.value_or(zeroDefault))});
}

/// A matrix in blocks of one row and group_size columns.
Result<Blocks> groupsOf(const Call& call, std::size_t at, const Tensor& x, const Tensor& scales)
{
    GB_ASSIGN(std::int64_t size, call.integer(at));
    if (size <= 1)
        return assertionError("group_size must be > 1");
    if (x.dim() == 0)
        return assertionError("input must be 2-dimensional");
    if (size > x.size(-1) && scales.dim() > 0 && scales.size(-1) == 1)
        size = x.size(-1);
    if (size == 0 || x.size(-1) % size != 0)
        return assertionError("input.shape[-1] must be divisible by group_size");
    if (x.dim() != 2)
        return assertionError("input must be 2-dimensional");
    return blocksOf(x, {1, size});
}

Result<Value> quantizeGroups(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor scales, call.tensor(1));
    GB_ASSIGN(const Tensor zeros, call.tensor(2));
    GB_ASSIGN(const double low, call.real(3));
    GB_ASSIGN(const double high, call.real(4));
    GB_ASSIGN(const DType dtype, dtypeArgument(call, 5));
    GB_TRY(expectFloat(x, "input"));
    GB_ASSIGN(const Blocks blocks, groupsOf(call, 6, x, scales));
    for (const double v : x.toDoubles())
        if (v != v)
            return assertionError("to_quant must not contain NaNs");
    GB_ASSIGN(const Tensor out, quantized(call.context(), x, blocks, scales, zeros, {low, high}, RoundFirst::Sum));
    return Value(out.to(dtype));
}

Result<Value> dequantizeGroups(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor scales, call.tensor(1));
    GB_ASSIGN(const std::optional<Tensor> zeros, call.maybeTensor(2));
    GB_ASSIGN(const std::optional<DType> given, call.dtype(7));
    GB_TRY(expectReal(x));
    GB_ASSIGN(const Blocks blocks, groupsOf(call, 6, x, scales));
    GB_ASSIGN(const Tensor out, dequantized(call.context(), x, blocks, scales, zeros, DType::Float32));
    return Value(out.to(given.value_or(DType::Float32)));
}

const KernelRow kRows[] = {
    {"torchao.quantize_affine.default", quantizeAffine,
     "input block_size scale zero_point output_dtype quant_min quant_max"},
    {"torchao.dequantize_affine.default", dequantizeAffine,
     "input block_size scale zero_point input_dtype quant_min quant_max output_dtype"},
    {"torchao.choose_qparams_affine.default", chooseQParamsAffine,
     "input mapping_type block_size target_dtype quant_min quant_max eps scale_dtype zero_point_dtype keepdim"},
    {"quantized_decomposed.quantize_per_channel_group.default", quantizeGroups,
     "input scales zero_points quant_min quant_max dtype group_size"},
    {"quantized_decomposed.dequantize_per_channel_group.default", dequantizeGroups,
     "input scales zero_points quant_min quant_max dtype group_size output_dtype"},
};

} // namespace

std::span<const KernelRow> blockQuantizeKernels()
{
    return kRows;
}

} // namespace gb::ops
