#include "passes/fold_bn_weights.h"

#include "base/message.h"
#include "ops/scale_rows.h"

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::Tensor;

/// Elementwise arithmetic with torch's promotion.
class Arithmetic {
public:
    explicit Arithmetic(const PassContext& context)
        : m_kernels(context.kernels)
        , m_context(context.opsContext())
    {
    }

    Result<Tensor> add(const Tensor& a, ops::Value b) const { return run("aten.add.Tensor", {a, std::move(b)}); }
    Result<Tensor> subtract(const Tensor& a, const Tensor& b) const { return run("aten.sub.Tensor", {a, b}); }
    Result<Tensor> multiply(const Tensor& a, const Tensor& b) const { return run("aten.mul.Tensor", {a, b}); }
    Result<Tensor> rsqrt(const Tensor& a) const { return run("aten.rsqrt.default", {a}); }
    /// a * factor, where factor (one dimension) runs along this axis of a.
    Result<Tensor> scale(const Tensor& a, const Tensor& factor, std::int64_t axis) const
    {
        if (axis == 0) {
            GB_ASSIGN(std::optional<Tensor> scaled, ops::scaleRows(m_context, a, factor));
            if (scaled)
                return *std::move(scaled);
        }
        ir::Shape shape(static_cast<std::size_t>(std::max<std::int64_t>(a.dim(), 2)), 1);
        shape[static_cast<std::size_t>(axis)] = factor.elementCount();
        return multiply(a, factor.reshaped(shape));
    }

private:
    Result<Tensor> run(std::string_view target, ops::ValueList args) const
    {
        GB_ASSIGN(const ops::Value value, m_kernels.evaluate(m_context, target, std::move(args)));
        if (const Tensor* tensor = value.tensor())
            return *tensor;
        return Error{ErrorCode::TypeError, base::say("{0} found, tensor expected", ops::describe(value)),
                     std::string(target)};
    }

    const ops::KernelTable& m_kernels;
    ops::Context m_context;
};

Tensor onesLike(const Tensor& like)
{
    return Tensor::fromVector(std::vector<float>(static_cast<std::size_t>(like.elementCount()), 1.0F), like.shape())
        .to(like.dtype());
}

Result<Tensor> needed(const std::optional<Tensor>& tensor, const char* what)
{
    if (tensor)
        return *tensor;
    return Error{ErrorCode::TypeError, base::say("batch norm without {0} found, a tensor expected", what), {}};
}

Result<Tensor> inverseDeviation(const Arithmetic& math, const BatchNormConstants& bn)
{
    GB_ASSIGN(const Tensor variance, needed(bn.runningVar, "running_var"));
    GB_ASSIGN(const Tensor shifted, math.add(variance, bn.eps));
    return math.rsqrt(shifted);
}

} // namespace

Result<FusedWeights> fuseConvBnWeights(const PassContext& context, const Tensor& weight,
                                       const std::optional<Tensor>& bias, const BatchNormConstants& bn, bool transpose)
{
    const Arithmetic math(context);
    GB_ASSIGN(const Tensor mean, needed(bn.runningMean, "running_mean"));
    const Tensor convBias = bias ? *bias : Tensor::zeros(mean.dtype(), mean.shape());
    const Tensor bnWeight = bn.weight ? *bn.weight : onesLike(mean);
    const Tensor bnBias = bn.bias ? *bn.bias : Tensor::zeros(mean.dtype(), mean.shape());
    GB_ASSIGN(const Tensor rsqrt, inverseDeviation(math, bn));

    GB_ASSIGN(const Tensor factor, math.multiply(bnWeight, rsqrt));
    GB_ASSIGN(const Tensor fusedWeight, math.scale(weight, factor, transpose ? 1 : 0));

    GB_ASSIGN(const Tensor centred, math.subtract(convBias, mean));
    GB_ASSIGN(const Tensor scaled, math.multiply(centred, rsqrt));
    GB_ASSIGN(const Tensor weighted, math.multiply(scaled, bnWeight));
    GB_ASSIGN(const Tensor fusedBias, math.add(weighted, bnBias));
    return FusedWeights{fusedWeight.to(weight.dtype()), fusedBias.to(bias ? bias->dtype() : weight.dtype())};
}

Result<FusedWeights> fuseLinearBnWeights(const PassContext& context, const Tensor& weight,
                                         const std::optional<Tensor>& bias, const BatchNormConstants& bn)
{
    const Arithmetic math(context);
    GB_ASSIGN(const Tensor mean, needed(bn.runningMean, "running_mean"));
    GB_ASSIGN(const Tensor bnWeight, needed(bn.weight, "weight"));
    GB_ASSIGN(const Tensor bnBias, needed(bn.bias, "bias"));
    const Tensor linearBias = bias ? *bias : Tensor::zeros(mean.dtype(), mean.shape());
    GB_ASSIGN(const Tensor rsqrt, inverseDeviation(math, bn));
    GB_ASSIGN(const Tensor factor, math.multiply(bnWeight, rsqrt));

    GB_ASSIGN(const Tensor fusedWeight, math.scale(weight, factor.to(weight.dtype()), 0));
    GB_ASSIGN(const Tensor centred, math.subtract(linearBias, mean));
    GB_ASSIGN(const Tensor scaled, math.multiply(centred, factor));
    GB_ASSIGN(const Tensor fusedBias, math.add(scaled, bnBias));
    return FusedWeights{fusedWeight, fusedBias.to(bias ? bias->dtype() : weight.dtype())};
}

} // namespace gb::passes
