// conv1d, conv2d, conv3d, transposed, and padding by name.
//
// Source: aten/src/ATen/native/Convolution.cpp.
#include "ops/kernels/conv_compute.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

Result<Tensor> addBias(const Context& context, const Tensor& out, const std::optional<Tensor>& bias,
                       std::int64_t spatial)
{
    if (!bias)
        return out;
    Shape shape{bias->size(0)};
    shape.insert(shape.end(), static_cast<std::size_t>(spatial), 1);
    return zip(context, out, bias->to(out.dtype()).reshaped(shape), out.dtype(),
               []<class T>(T a, T b) { return static_cast<T>(a + b); });
}

/// Everything that is not float32, in double.
Result<Tensor> plain(const Context& context, const ConvGeometry& g, const Tensor& x, const Tensor& w, bool transposed)
{
    const Tensor input = x.to(DType::Float64).contiguous();
    const Tensor weight = w.to(DType::Float64).contiguous();
    GB_ASSIGN(Tensor out, makeTensor(DType::Float64, g.outShape));
    convPlain(context, g, input.data<double>(), weight.data<double>(), out.mutableData<double>(), transposed);
    return out;
}

/// Float32; the bias is added where torch adds it.
Result<Tensor> single(const Context& context, const ConvGeometry& g, const Tensor& x, const Tensor& w,
                      const std::optional<Tensor>& b, bool transposed)
{
    const Tensor input = x.contiguous();
    const Tensor weight = w.contiguous();
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, g.outShape));
    float* to = out.mutableData<float>();
    if (transposed) {
        convTransposed(context, g, input.data<float>(), weight.data<float>(), to);
        return addBias(context, out, b, w.dim() - 2);
    }
    const std::optional<Tensor> bias = b ? std::optional(b->to(DType::Float32).contiguous()) : std::nullopt;
    const float* biasData = bias ? bias->data<float>() : nullptr;
    const bool depthwise = g.inPerGroup() == 1 && g.groups > 1;
    if (depthwise)
        convDepthwise(context, g, input.data<float>(), weight.data<float>(), biasData, to);
    else
        convByProduct(context, g, input.data<float>(), weight, biasData, to);
    return out;
}

Result<Tensor> convolve(const Context& context, const Tensor& input, const Tensor& weight,
                        const std::optional<Tensor>& bias, const ConvParameters& parameters)
{
    GB_TRY(expectReal(input));
    GB_ASSIGN(const ConvGeometry g, convGeometry(input, weight, bias, parameters));
    if (input.dtype() == DType::Float32 || isHalf(input.dtype())) {
        GB_ASSIGN(const Tensor out,
                  single(context, g, input.to(DType::Float32), weight.to(DType::Float32), bias, parameters.transposed));
        return out.to(input.dtype());
    }
    GB_ASSIGN(const Tensor out, plain(context, g, input, weight, parameters.transposed));
    GB_ASSIGN(const Tensor sum, addBias(context, out, bias, weight.dim() - 2));
    return sum.to(input.dtype());
}

struct ConvOperands {
    Tensor input;
    Tensor weight;
    std::optional<Tensor> bias;
    std::size_t spatial = 0;
};

Result<ConvOperands> operandsOf(const Call& call)
{
    ConvOperands out;
    GB_ASSIGN(out.input, call.tensor(0));
    GB_ASSIGN(out.weight, call.tensor(1));
    GB_ASSIGN(out.bias, call.maybeTensor(2));
    if (out.weight.dim() < 3)
        return runtimeError("weight {0}, 3 to 5 dimensions expected", ir::describe(out.weight));
    out.spatial = static_cast<std::size_t>(out.weight.dim() - 2);
    return out;
}

template <int Spatial>
base::Status checkSpatial(const ConvOperands& operands)
{
    if (operands.spatial != Spatial)
        return runtimeError("weight {0}, {1} dimensions expected", ir::describe(operands.weight), Spatial + 2);
    return {};
}

template <int Spatial>
Result<Value> conv(const Call& call)
{
    GB_ASSIGN(const ConvOperands operands, operandsOf(call));
    GB_TRY(checkSpatial<Spatial>(operands));
    ConvParameters p;
    GB_ASSIGN(p.stride, call.intsOf(3, Spatial, 1));
    GB_ASSIGN(p.padding, call.intsOf(4, Spatial, 0));
    GB_ASSIGN(p.dilation, call.intsOf(5, Spatial, 1));
    GB_ASSIGN(p.groups, call.integer(6, 1));
    GB_ASSIGN(Tensor out, convolve(call.context(), operands.input, operands.weight, operands.bias, p));
    return Value(std::move(out));
}

/// padding "same": an odd total goes to the end, which torch does by padding the input with zeros first.
Result<Tensor> padOdd(const Context& context, const Tensor& input, const Shape& extra)
{
    Shape shape = input.shape();
    const std::size_t first = shape.size() - extra.size();
    for (std::size_t i = 0; i < extra.size(); ++i)
        shape[first + i] += extra[i];
    if (shape == input.shape())
        return input;
    GB_ASSIGN(Tensor out, makeZeros(input.dtype(), shape));
    GB_TRY(copyInto(context, out.asStrided(input.shape(), out.strides()), input));
    return out;
}

template <int Spatial>
Result<Value> convNamedPadding(const Call& call)
{
    GB_ASSIGN(ConvOperands operands, operandsOf(call));
    GB_TRY(checkSpatial<Spatial>(operands));
    ConvParameters p;
    GB_ASSIGN(p.stride, call.intsOf(3, Spatial, 1));
    GB_ASSIGN(const std::string_view padding, call.text(4, "valid"));
    GB_ASSIGN(p.dilation, call.intsOf(5, Spatial, 1));
    GB_ASSIGN(p.groups, call.integer(6, 1));
    p.padding = Shape(Spatial, 0);
    if (padding == "same") {
        Shape extra(Spatial, 0);
        for (std::size_t i = 0; i < Spatial; ++i) {
            if (p.stride[i] != 1)
                return runtimeError("padding='same' with stride {0}, stride 1 expected", p.stride[i]);
            std::int64_t total = 0;
            if (__builtin_mul_overflow(p.dilation[i], operands.weight.shape()[i + 2] - 1, &total))
                return runtimeError("dilation {0} is out of range", p.dilation[i]);
            p.padding[i] = total / 2;
            extra[i] = total % 2;
        }
        if (operands.input.dim() < Spatial + 1)
            return runtimeError("input {0}, {1} dimensions expected", ir::describe(operands.input), Spatial + 2);
        GB_ASSIGN(operands.input, padOdd(call.context(), operands.input, extra));
    } else if (padding != "valid")
        return runtimeError("padding '{0}', 'same' or 'valid' expected", padding);
    GB_ASSIGN(Tensor out, convolve(call.context(), operands.input, operands.weight, operands.bias, p));
    return Value(std::move(out));
}

template <int Spatial>
Result<Value> convTransposedKernel(const Call& call)
{
    GB_ASSIGN(const ConvOperands operands, operandsOf(call));
    GB_TRY(checkSpatial<Spatial>(operands));
    ConvParameters p;
    p.transposed = true;
    GB_ASSIGN(p.stride, call.intsOf(3, Spatial, 1));
    GB_ASSIGN(p.padding, call.intsOf(4, Spatial, 0));
    GB_ASSIGN(p.outputPadding, call.intsOf(5, Spatial, 0));
    GB_ASSIGN(p.groups, call.integer(6, 1));
    GB_ASSIGN(p.dilation, call.intsOf(7, Spatial, 1));
    GB_ASSIGN(Tensor out, convolve(call.context(), operands.input, operands.weight, operands.bias, p));
    return Value(std::move(out));
}

Result<Value> convolution(const Call& call)
{
    GB_ASSIGN(const ConvOperands operands, operandsOf(call));
    ConvParameters p;
    GB_ASSIGN(p.stride, call.intsOf(3, operands.spatial, 1));
    GB_ASSIGN(p.padding, call.intsOf(4, operands.spatial, 0));
    GB_ASSIGN(p.dilation, call.intsOf(5, operands.spatial, 1));
    GB_ASSIGN(p.transposed, call.boolean(6, false));
    GB_ASSIGN(p.outputPadding, call.intsOf(7, operands.spatial, 0));
    GB_ASSIGN(p.groups, call.integer(8, 1));
    GB_ASSIGN(Tensor out, convolve(call.context(), operands.input, operands.weight, operands.bias, p));
    return Value(std::move(out));
}

constexpr const char* kNames = "input weight bias stride padding dilation groups";
constexpr const char* kTransposedNames = "input weight bias stride padding output_padding groups dilation";

const KernelRow kRows[] = {
    {"aten.conv1d.default", conv<1>, kNames},
    {"aten.conv2d.default", conv<2>, kNames},
    {"aten.conv3d.default", conv<3>, kNames},
    {"aten.conv1d.padding", convNamedPadding<1>, kNames},
    {"aten.conv2d.padding", convNamedPadding<2>, kNames},
    {"aten.conv3d.padding", convNamedPadding<3>, kNames},
    {"aten.conv_transpose1d.default", convTransposedKernel<1>, kTransposedNames},
    {"aten.conv_transpose2d.input", convTransposedKernel<2>, kTransposedNames},
    {"aten.conv_transpose3d.input", convTransposedKernel<3>, kTransposedNames},
    {"aten.convolution.default", convolution,
     "input weight bias stride padding dilation transposed output_padding groups"},
};

} // namespace

std::span<const KernelRow> convKernels()
{
    return kRows;
}

} // namespace gb::ops
