#include "passes/qat_patterns.h"

#include "ir/pattern_builder.h"
#include "passes/quantize_ops.h"

namespace gb::passes {
namespace {

using ir::Argument;
using ir::DType;
using ir::Node;
using ir::refTo;

constexpr double kEps = 1e-5; // bn_eps

/// meta of a node that torch.export traced in torchao's wrapper of a pattern
ir::NodeMetaPtr traced(std::vector<std::int64_t> shape)
{
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    for (const std::int64_t size : shape)
        meta->val.tensor.shape.push_back({size, {}});
    meta->nnModuleStack = {{"L__self__", "", "torchao.quantization.pt2e.export_utils.WrapperModule"}};
    return meta;
}

/// Writes one pattern: knows the convolution, the inputs and the shapes.
class Writer {
public:
    explicit Writer(const QatConv& conv)
        : m_conv(conv)
        , m_vector(traced({1}))
        , m_weight(traced(ones()))
        , m_image(traced(image()))
    {
    }

    const Node* input(const std::string& name) { return m_build.input(name); }

    /// gamma / sqrt(running_var + eps)
    const Node* scaleFactor(const Node* gamma, const Node* runningVar)
    {
        const Node* sum = call("aten.add.Tensor", "add", {refTo(runningVar), Argument(kEps)}, m_vector);
        const Node* root = call("aten.sqrt.default", "sqrt", {refTo(sum)}, m_vector);
        return call("aten.div.Tensor", "div", {refTo(gamma), refTo(root)}, m_vector);
    }
    const Node* scaledWeight(const Node* weight, const Node* factor, std::size_t channelAxis)
    {
        const Node* shaped = reshape(factor, "reshape", channelAxis);
        return call("aten.mul.Tensor", "mul", {refTo(weight), refTo(shaped)}, m_weight);
    }
    const Node* zeroBias(const Node* bias)
    {
        return m_build.call("aten.zeros_like.default", "zeros_like", {refTo(bias)},
                            {{"dtype", Argument(DType::Float32)}, {"pin_memory", Argument(false)}}, m_vector);
    }
    const Node* convolution(const Node* x, const Node* weight, const Node* bias)
    {
        std::vector<Argument> args = {refTo(x), refTo(weight)};
        if (bias)
            args.push_back(refTo(bias));
        return call(m_conv.target, m_conv.name, std::move(args), m_image);
    }
    const Node* unscaled(const Node* x, const Node* factor)
    {
        return call("aten.div.Tensor", "div_1", {refTo(x), refTo(reshape(factor, "reshape_1", 1))}, m_image);
    }
    const Node* withBias(const Node* x, const Node* bias)
    {
        return call("aten.add.Tensor", "add_1", {refTo(x), refTo(reshape(bias, "reshape_2", 1))}, m_image);
    }
    /// bn: weight, bias, running_mean, running_var
    const Node* batchNorm(const Node* x, const std::array<const Node*, 4>& bn, bool training)
    {
        return call("aten.batch_norm.default", "batch_norm",
                    {refTo(x), refTo(bn[0]), refTo(bn[1]), refTo(bn[2]), refTo(bn[3]), Argument(training),
                     Argument(0.1), Argument(kEps), Argument(false)},
                    m_image);
    }
    /// _append_qdq. scale and zeroPoint are null per tensor, where the numbers are literals that matching ignores.
    const Node* quantized(const Node* x, const Node* scale, const Node* zeroPoint)
    {
        std::vector<Argument> tail = {Argument(1.0), Argument(0), Argument(-127), Argument(127), Argument(DType::Int8)};
        if (scale)
            tail = {refTo(scale), refTo(zeroPoint), Argument(0), Argument(-127), Argument(127), Argument(DType::Int8)};
        const auto step = [&](std::string_view target, const char* name, const Node* from) {
            std::vector<Argument> args = {refTo(from)};
            args.insert(args.end(), tail.begin(), tail.end());
            return call(std::string(target), name, std::move(args), {});
        };
        const Node* q = step(scale ? kQuantizePerChannel : kQuantizePerTensor,
                             scale ? "quantize_per_channel" : "quantize_per_tensor", x);
        return step(scale ? kDequantizePerChannel : kDequantizePerTensor,
                    scale ? "dequantize_per_channel" : "dequantize_per_tensor", q);
    }
    ir::Pattern finish(const Node* conv, const Node* bn) { return m_build.finish(bn, {{"conv", conv}, {"bn", bn}}); }

private:
    const Node* call(const std::string& target, const std::string& name, std::vector<Argument> args,
                     ir::NodeMetaPtr meta)
    {
        return m_build.call(target, name, std::move(args), {}, std::move(meta));
    }
    const Node* reshape(const Node* x, const char* name, std::size_t axis)
    {
        std::vector<Argument> shape(static_cast<std::size_t>(m_conv.rank) + 2, Argument(1));
        shape[axis] = Argument(-1);
        return call("aten.reshape.default", name, {refTo(x), Argument::list(std::move(shape))}, m_weight);
    }
    [[nodiscard]] std::vector<std::int64_t> ones() const
    {
        return std::vector<std::int64_t>(static_cast<std::size_t>(m_conv.rank) + 2, 1);
    }
    [[nodiscard]] std::vector<std::int64_t> image() const
    {
        std::vector<std::int64_t> shape = ones();
        std::fill(shape.begin() + 2, shape.end(), 3);
        return shape;
    }

    const QatConv& m_conv;
    ir::PatternBuilder m_build;
    ir::NodeMetaPtr m_vector;
    ir::NodeMetaPtr m_weight;
    ir::NodeMetaPtr m_image;
};

std::vector<const Node*> inputs(Writer& write, int count)
{
    std::vector<const Node*> out;
    for (int i = 0; i < count; ++i)
        out.push_back(write.input("args_" + std::to_string(i)));
    return out;
}

/// The inputs of the patterns of convert, in the order of torchao's example inputs.
struct QuantizedInputs {
    const Node* x;
    const Node* weight;
    std::array<const Node*, 4> bn;
    std::array<const Node*, 2> weightQParams{}; ///< scale and zero point; null per tensor
    std::array<const Node*, 2> biasQParams{};
    const Node* bias = nullptr;
};

QuantizedInputs quantizedInputs(Writer& write, const QuantizedForm& form)
{
    const std::vector<const Node*> in = inputs(write, 6);
    QuantizedInputs out{.x = in[0], .weight = in[1], .bn = {in[2], in[3], in[4], in[5]}};
    if (form.perChannel)
        out.weightQParams = {write.input("weight_scale"), write.input("weight_zero_point")};
    if (form.perChannel && form.hasBias && form.biasIsQuantized)
        out.biasQParams = {write.input("bias_scale"), write.input("bias_zero_point")};
    if (form.hasBias)
        out.bias = write.input("conv_bias");
    return out;
}

} // namespace

ir::Pattern convBnPattern(const QatConv& conv)
{
    Writer write(conv);
    const std::vector<const Node*> in = inputs(write, 7);
    const Node* convolution = write.convolution(in[0], in[1], in[2]);
    return write.finish(convolution, write.batchNorm(convolution, {in[3], in[4], in[5], in[6]}, true));
}

ir::Pattern qatConvBn(const QatConv& conv, bool hasBias)
{
    Writer write(conv);
    const std::vector<const Node*> in = inputs(write, 7);
    const Node* factor = write.scaleFactor(in[3], in[6]);
    const Node* weight = write.scaledWeight(in[1], factor, conv.transposed ? 1 : 0);
    const Node* convolution = write.convolution(in[0], weight, hasBias ? write.zeroBias(in[2]) : nullptr);
    const Node* x = write.unscaled(convolution, factor);
    if (hasBias)
        x = write.withBias(x, in[2]);
    return write.finish(convolution, write.batchNorm(x, {in[3], in[4], in[5], in[6]}, true));
}

ir::Pattern quantizedQatConvBn(const QatConv& conv, const QuantizedForm& form)
{
    Writer write(conv);
    const QuantizedInputs in = quantizedInputs(write, form);
    const Node* factor = write.scaleFactor(in.bn[0], in.bn[3]);
    const Node* weight =
        write.quantized(write.scaledWeight(in.weight, factor, 0), in.weightQParams[0], in.weightQParams[1]);
    const Node* bias = form.hasBias ? write.zeroBias(in.bias) : nullptr;
    if (bias && form.biasIsQuantized)
        bias = write.quantized(bias, in.biasQParams[0], in.biasQParams[1]);
    const Node* convolution = write.convolution(in.x, weight, bias);
    const Node* x = write.unscaled(convolution, factor);
    if (in.bias)
        x = write.withBias(x, in.bias);
    return write.finish(convolution, write.batchNorm(x, in.bn, form.training));
}

ir::Pattern foldedQuantizedQatConvBn(const QatConv& conv, const QuantizedForm& form)
{
    Writer write(conv);
    const QuantizedInputs in = quantizedInputs(write, form);
    const Node* weight = write.quantized(in.weight, in.weightQParams[0], in.weightQParams[1]);
    const Node* bias = in.bias;
    if (bias && form.biasIsQuantized)
        bias = write.quantized(bias, in.biasQParams[0], in.biasQParams[1]);
    const Node* convolution = write.convolution(in.x, weight, bias);
    return write.finish(convolution, write.batchNorm(convolution, in.bn, form.training));
}

} // namespace gb::passes
