#include "passes/fold_bn.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/fold_bn_weights.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <array>
#include <set>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::say;
using base::Status;
using ir::Argument;
using ir::Node;
using ir::Tensor;

constexpr std::string_view kBatchNorm = "aten.batch_norm.default";
constexpr std::string_view kNoTraining = "aten._native_batch_norm_legit_no_training.default";

/// The argument of a batch norm by its place and name in the schema.
const Argument* bnArgument(const Node& bn, std::size_t index, std::string_view name)
{
    for (const auto& [key, value] : bn.kwargs())
        if (key == name)
            return &value;
    return index < bn.args().size() ? &bn.args()[index] : nullptr;
}

/// _get_tensor_constant_from_node
Result<std::optional<Tensor>> constantOf(const ir::GraphModule& model, const Argument* argument)
{
    if (!argument || argument->isNone())
        return std::optional<Tensor>();
    const Node* node = model.graph().find(argument->nodeId());
    if (!node)
        return Error{ErrorCode::AttributeError, "a number found, a get_attr node expected", {}};
    if (node->op() != ir::Op::GetAttr)
        return Error{ErrorCode::ValueError, say("{0} found, get_attr node expected", ir::name(node->op())),
                     "node " + node->name()};
    const ir::Attribute* attribute = model.attribute(node->target());
    if (!attribute)
        return Error{ErrorCode::RuntimeError, say("refers to {0}, which is not there", node->target()),
                     "node " + node->name()};
    return std::optional<Tensor>(attribute->value);
}

Result<BatchNormConstants> bnConstants(const ir::GraphModule& model, const Node& bn)
{
    BatchNormConstants out;
    GB_ASSIGN(out.weight, constantOf(model, bnArgument(bn, 1, "weight")));
    GB_ASSIGN(out.bias, constantOf(model, bnArgument(bn, 2, "bias")));
    GB_ASSIGN(out.runningMean, constantOf(model, bnArgument(bn, 3, "running_mean")));
    GB_ASSIGN(out.runningVar, constantOf(model, bnArgument(bn, 4, "running_var")));
    const Argument* eps = bnArgument(bn, bn.calls(kNoTraining) ? 6 : 7, "eps");
    if (const auto* real = eps ? eps->as<double>() : nullptr)
        out.eps = *real;
    else if (const auto* integer = eps ? eps->as<std::int64_t>() : nullptr)
        out.eps = static_cast<double>(*integer);
    else
        return Error{ErrorCode::TypeError, "no number found for eps", "node " + bn.name()};
    return out;
}

/// The weights as torch.nn.Parameter again ("fake fuse"), with a zero bias where there is none.
Result<FusedWeights> unchangedWeights(const Tensor& weight, const std::optional<Tensor>& bias,
                                      const BatchNormConstants& bn)
{
    if (bias)
        return FusedWeights{weight, *bias};
    if (!bn.runningMean)
        return Error{ErrorCode::TypeError, "batch norm without running_mean found, a tensor expected", {}};
    return FusedWeights{weight, Tensor::zeros(bn.runningMean->dtype(), bn.runningMean->shape())};
}

ir::NodeMetaPtr metaOf(const Tensor& tensor)
{
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    meta->val.tensor.dtype = tensor.dtype();
    for (const std::int64_t size : tensor.shape())
        meta->val.tensor.shape.push_back({size, {}});
    for (const std::int64_t stride : tensor.strides())
        meta->val.tensor.strides.push_back({stride, {}});
    return meta;
}

void setParameter(ir::GraphModule& model, const std::string& name, Tensor value)
{
    model.setAttribute(name, {std::move(value), ir::AttributeKind::Parameter, true});
}

/// Puts the fused tensors where the op reads them; an op without bias gets one ("WEIGHT_bias").
void assignWeights(ir::GraphModule& model, const BnFold& fold, FusedWeights fused, bool withVal)
{
    ir::Graph& graph = model.graph();
    Node* op = fold.op;
    const Node* weightNode = graph.find(fold.weight.nodeId());
    const Node* biasNode = graph.find(fold.bias.nodeId());
    std::vector<Argument> args = op->args();
    if (args.size() == 2)
        args.emplace_back();
    setParameter(model, weightNode->target(), std::move(fused.weight));
    if (biasNode) {
        setParameter(model, biasNode->target(), std::move(fused.bias));
    } else {
        const std::string name = weightNode->target() + "_bias";
        ir::NewNode parts{.op = ir::Op::GetAttr, .target = name};
        if (withVal)
            parts.meta = metaOf(fused.bias);
        setParameter(model, name, std::move(fused.bias));
        // the bias of the op is assumed to be float, as in torchao
        args[2] = Argument::node(graph.insertBefore(op, std::move(parts))->id());
    }
    graph.setArgs(op, std::move(args));
}

enum class DeadCode : std::uint8_t { Anywhere, None };

/// Lets the users of the batch norm's first output use the op, then takes the batch norm away. torchao looks through
/// the whole graph for dead code each time; where there was none before, what this batch norm leaves is enough.
Status dropBatchNorm(ir::GraphModule& model, Node* op, Node* bn, DeadCode before)
{
    ir::Graph& graph = model.graph();
    std::vector<ir::NodeId> unused = {bn->id()};
    for (const Node* user : bn->users())
        unused.push_back(user->id());
    if (bn->calls(kBatchNorm)) {
        graph.replaceAllUses(bn, op);
    } else {
        for (Node* user : std::vector<Node*>(bn->users())) {
            const auto* index = user->arg(1).as<std::int64_t>();
            if (user->calls(kGetItem) && index && *index == 0)
                graph.replaceAllUses(user, op);
        }
    }
    if (before == DeadCode::Anywhere)
        GB_TRY(eliminateDeadCode(model));
    else
        eraseUnused(graph, std::move(unused));
    // torch.fx keeps a training batch norm (it writes to its statistics), so it is erased by hand when it is unused
    if (!graph.isErased(bn) && bn->users().empty())
        graph.erase(bn);
    return {};
}

void sayFold(const Node& op, const Node& bn, bool fake, const char* passName, trace::Recorder& recorder)
{
    trace::Event e;
    e.kind = trace::EventKind::Rewrite;
    e.name = passName;
    e.graph = op.graph().path();
    e.nodes = {op.id(), bn.id()};
    e.sentence = fake ? message("{0} is taken out; {1} uses weights that were folded before", bn.name(), op.name())
                      : message("{0} is folded into the weight and bias of {1}", bn.name(), op.name());
    recorder.say(std::move(e));
}

using Fuse = Result<FusedWeights> (*)(const PassContext&, const Node&, const Tensor&, const std::optional<Tensor>&,
                                      const BatchNormConstants&);

Result<FusedWeights> fuseConv(const PassContext& context, const Node& op, const Tensor& weight,
                              const std::optional<Tensor>& bias, const BatchNormConstants& bn)
{
    return fuseConvBnWeights(context, weight, bias, bn, isConvTranspose(op));
}

Result<FusedWeights> fuseLinear(const PassContext& context, const Node& /*op*/, const Tensor& weight,
                                const std::optional<Tensor>& bias, const BatchNormConstants& bn)
{
    return fuseLinearBnWeights(context, weight, bias, bn);
}

Result<FusedWeights> fusedWeights(const ir::GraphModule& model, const BnFold& fold, PassContext& context, Fuse fuse,
                                  bool always)
{
    GB_ASSIGN(const std::optional<Tensor> weight, constantOf(model, &fold.weight));
    GB_ASSIGN(const std::optional<Tensor> bias, constantOf(model, &fold.bias));
    GB_ASSIGN(const BatchNormConstants bn, bnConstants(model, *fold.bn));
    if (!weight)
        return Error{ErrorCode::AttributeError, "no weight found, a get_attr node expected", {}};
    if (fold.fakeFuse && !always)
        return unchangedWeights(*weight, bias, bn);
    // the convolution's arithmetic runs for a fake fuse too, and its errors count
    Result<FusedWeights> fused = fuse(context, *fold.op, *weight, bias, bn);
    return fused && fold.fakeFuse ? unchangedWeights(*weight, bias, bn) : fused;
}

Status foldInto(ir::GraphModule& model, const BnFold& fold, PassContext& context, bool conv,
                DeadCode before = DeadCode::Anywhere)
{
    auto fused = fusedWeights(model, fold, context, conv ? fuseConv : fuseLinear, conv);
    if (!fused)
        return fused.error().in("node " + fold.bn->name());
    sayFold(*fold.op, *fold.bn, fold.fakeFuse, conv ? "fuse_conv_bn" : "fuse_linear_bn", context.recorder);
    assignWeights(model, fold, std::move(fused).value(),
                  conv && fold.op->meta().val.kind != ir::ValueMeta::Kind::Missing);
    return dropBatchNorm(model, fold.op, fold.bn, before);
}

/// True where batch norm and linear work on different dimensions (torchao warns and goes on).
bool linearInputTooDeep(const ir::Graph& graph, const Node& linear, trace::Recorder& recorder)
{
    const Node* input = graph.find(linear.arg(0).nodeId());
    const ir::TensorMeta* val = input ? input->val() : nullptr;
    if (!val || val->shape.size() <= 2)
        return false;
    trace::Event e;
    e.kind = trace::EventKind::Note;
    e.graph = graph.path();
    e.nodes = {linear.id()};
    e.sentence =
        message("{0} keeps its batch norm: its input has {1} dimensions, and linear and batch norm work on the "
                "same one only when there are 2",
                linear.name(), val->shape.size());
    recorder.say(std::move(e));
    return true;
}

Status fuseAll(ir::GraphModule& model, PassContext& context, bool conv)
{
    if (!hasBatchNorm(model.graph()))
        return {};
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = conv ? "fuse_conv_bn" : "fuse_linear_bn";
    e.graph = model.graph().path();
    e.sentence = conv ? message("fold batch norms into the convolutions before them")
                      : message("fold batch norms into the linears before them");
    const trace::Scope scope = context.recorder.open(std::move(e));
    std::set<ir::NodeId> folded;
    for (Node* bn : model.graph().nodes()) {
        if (model.graph().isErased(bn) || !(bn->calls(kBatchNorm) || bn->calls(kNoTraining)))
            continue;
        Node* op = model.graph().find(bn->arg(0).nodeId());
        if (!op || !(conv ? isConv(*op) || isConvTranspose(*op) : op->calls("aten.linear.default")))
            continue;
        if (!conv && linearInputTooDeep(model.graph(), *op, context.recorder))
            continue;
        const ir::NodeId weight = op->arg(1).nodeId();
        GB_TRY(foldInto(model, {op, bn, op->arg(1), op->arg(2), folded.contains(weight)}, context, conv,
                        folded.empty() ? DeadCode::Anywhere : DeadCode::None));
        folded.insert(weight);
    }
    return eliminateDeadCode(model);
}

} // namespace

bool isBatchNorm(const ir::Node& node)
{
    static constexpr std::array<std::string_view, 5> kTargets = {kBatchNorm, "aten._native_batch_norm_legit.default",
                                                                 "aten.cudnn_batch_norm.default",
                                                                 "aten.miopen_batch_norm.default", kNoTraining};
    return std::ranges::find(kTargets, node.target()) != kTargets.end();
}

bool hasBatchNorm(const ir::Graph& graph)
{
    for (const Node* n = graph.first(); n; n = n->next())
        if (isBatchNorm(*n))
            return true;
    return false;
}

bool isConv(const ir::Node& node)
{
    static constexpr std::array<std::string_view, 6> kTargets = {"aten.conv1d.default", "aten.conv1d.padding",
                                                                 "aten.conv2d.default", "aten.conv2d.padding",
                                                                 "aten.conv3d.default", "aten.conv3d.padding"};
    return node.op() == ir::Op::CallFunction && std::ranges::find(kTargets, node.target()) != kTargets.end();
}

bool isConvTranspose(const ir::Node& node)
{
    static constexpr std::array<std::string_view, 3> kTargets = {
        "aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input"};
    return node.op() == ir::Op::CallFunction && std::ranges::find(kTargets, node.target()) != kTargets.end();
}

Status foldBnIntoConv(ir::GraphModule& model, const BnFold& fold, PassContext& context)
{
    return foldInto(model, fold, context, true);
}

Status fuseConvBn(ir::GraphModule& model, PassContext& context)
{
    return fuseAll(model, context, true);
}

Status fuseLinearBn(ir::GraphModule& model, PassContext& context)
{
    return fuseAll(model, context, false);
}

} // namespace gb::passes
