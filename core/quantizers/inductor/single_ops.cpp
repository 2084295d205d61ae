// conv2d and linear alone, matmul, mul.
#include "quantizers/inductor/rules.h"
#include "quantizers/source_partitions.h"

#include <algorithm>
#include <unordered_set>

namespace gb::quantizers::inductor {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

/// Labels one conv or linear, or says "not quantized" where the config is None.
base::Status annotateAlone(RuleRun& run, ir::Node* op, const RuleCall& call)
{
    GB_ASSIGN(const bool skip, skipAnnotate(run, {op}, call.filter));
    if (skip)
        return {};
    Match match = run.take({op});
    if (!call.config) {
        annotateNotQuantize(match, {op});
        return {};
    }
    GB_ASSIGN(ir::Annotation labels, weightedLabels(*op, *call.config, true));
    match.replace(op, std::move(labels));
    return {};
}

/// Says which ops the rule never came to: they are inside a partition (a module that is called twice), or in none.
void refuseUnvisited(RuleRun& run, const std::vector<SourcePartition>& partitions)
{
    std::unordered_set<const ir::Node*> visited;
    for (const SourcePartition& partition : partitions)
        visited.insert(partition.outputNodes.begin(), partition.outputNodes.end());
    for (ir::Node* node : run.candidates()) {
        if (visited.contains(node))
            continue;
        const auto around = std::ranges::find_if(partitions, [&](const SourcePartition& partition) {
            return std::ranges::find(partition.nodes, node) != partition.nodes.end();
        });
        if (around == partitions.end())
            run.refuse({node}, {"source_partition", "R3", describeModule(*node), "a source partition",
                                message("rule {0} does not see {1}: it goes by source metadata, the node has {2}",
                                        run.info().name, node->name(), describeModule(*node))});
        else
            run.refuse({node}, {"inner_node", "R3", "an inner node of the partition " + nameList(around->nodes),
                                "an output node",
                                message("rule {0} does not visit {1}: it is an inner node of the partition {2}, which "
                                        "several calls of one module make",
                                        run.info().name, node->name(), nameList(around->nodes))});
    }
}

Error wrongOp(const ir::Node& node, const char* wanted)
{
    return Error{ErrorCode::ValueError, say("{0} found, {1} expected", node.target(), wanted), "node " + node.name()};
}

/// Both operands labelled, the node ends a quantized pattern.
base::Result<ir::Annotation> operandLabels(const ir::Node& node, const QuantizationConfig& config)
{
    ir::Annotation out = annotation(true);
    for (std::size_t i = 0; i < node.args().size(); ++i) {
        GB_ASSIGN(const ir::Node* input, inputAt(node, i));
        out.setInput(input->id(), config.inputActivation);
    }
    return out;
}

/// node.args[index].meta["val"] is a tensor; a number is none. Error: KeyError without metadata.
base::Result<const ir::TensorMeta*> tensorAt(const ir::Node& node, std::size_t index)
{
    const ir::Node* input = node.graph().find(node.arg(index).nodeId());
    if (!input)
        return nullptr;
    if (input->meta().val.kind == ir::ValueMeta::Kind::Missing)
        return Error{ErrorCode::KeyError, "no tensor metadata (val)", "node " + input->name()};
    return input->val();
}

/// mul takes two tensors of one shape; says why not.
base::Result<bool> refusedAsUnequal(RuleRun& run, ir::Node* node)
{
    GB_ASSIGN(const ir::TensorMeta* first, tensorAt(*node, 0));
    const ir::TensorMeta* second = nullptr;
    if (first) {
        GB_ASSIGN(second, tensorAt(*node, 1));
    }
    if (!first || !second) {
        run.refuse({node}, {"tensor_operands", "R7", "an operand that is no tensor", "two tensors",
                            message("{0} leaves {1} alone: an operand is no tensor", run.info().name, node->name())});
        return true;
    }
    if (first->shape == second->shape)
        return false;
    run.refuse({node},
               {"same_shape", "R14", "two shapes", "one shape",
                message("{0} leaves {1} alone: its operands have different shapes", run.info().name, node->name())});
    return true;
}

} // namespace

base::Status annotateConv2d(const RuleCall& call)
{
    constexpr const char* kTarget = "aten.conv2d.default";
    RuleRun run(call.context, ruleInfo("conv2d", {kTarget}, 1202), call.filter.setting);
    GB_ASSIGN(
        const auto partitions,
        getSourcePartitions(run.graph(), {moduleClass("torch.nn.modules.conv.Conv2d"), function("torch.conv2d")}, {}));
    for (const SourcePartition& partition : partitions) {
        if (partition.outputNodes.size() != 1)
            return Error{partition.outputNodes.empty() ? ErrorCode::IndexError : ErrorCode::ValueError,
                         say("the partition {0} has {1} output nodes, one expected", nameList(partition.nodes),
                             partition.outputNodes.size()),
                         "node " + partition.nodes.front()->name()};
        ir::Node* conv = partition.outputNodes.front();
        if (!conv->calls(kTarget))
            return wrongOp(*conv, kTarget);
        GB_TRY(annotateAlone(run, conv, call));
    }
    refuseUnvisited(run, partitions);
    return {};
}

base::Status annotateLinear(const RuleCall& call)
{
    constexpr const char* kTarget = "aten.linear.default";
    RuleRun run(call.context, ruleInfo("linear", {kTarget}, 1431), call.filter.setting);
    GB_ASSIGN(const auto partitions,
              getSourcePartitions(
                  run.graph(), {moduleClass("torch.nn.modules.linear.Linear"), function("torch._C._nn.linear")}, {}));
    for (const SourcePartition& partition : partitions)
        for (ir::Node* linear : partition.outputNodes) {
            if (!linear->calls(kTarget))
                return wrongOp(*linear, kTarget);
            GB_TRY(annotateAlone(run, linear, call));
        }
    refuseUnvisited(run, partitions);
    return {};
}

base::Status annotateMatmul(const RuleCall& call)
{
    RuleRun run(call.context, ruleInfo("matmul", {"aten.matmul.default"}, 1028), call.filter.setting);
    for (ir::Node* node : run.candidates()) {
        GB_ASSIGN(const bool skip, skipAnnotate(run, {node}, call.filter));
        if (skip)
            continue;
        Match match = run.take({node});
        if (!call.config) {
            annotateNotQuantize(match, {node});
            continue;
        }
        GB_ASSIGN(ir::Annotation labels, operandLabels(*node, *call.config));
        match.replace(node, std::move(labels));
    }
    return {};
}

base::Status annotateMulTensor(const RuleCall& call)
{
    RuleRun run(call.context, ruleInfo("mul_tensor", {"aten.mul.Tensor"}, 1600), call.filter.setting);
    for (ir::Node* node : run.candidates()) {
        GB_ASSIGN(const bool skip, skipAnnotate(run, {node}, call.filter));
        if (skip)
            continue;
        if (!call.config) {
            Match match = run.take({node});
            annotateNotQuantize(match, {node});
            continue;
        }
        if (node->args().size() != 2)
            return Error{ErrorCode::AssertionError, say("{0} arguments, 2 expected", node->args().size()),
                         "node " + node->name()};
        GB_ASSIGN(const bool refused, refusedAsUnequal(run, node));
        if (refused)
            continue;
        GB_ASSIGN(ir::Annotation labels, operandLabels(*node, *call.config));
        run.take({node}).replace(node, std::move(labels));
    }
    return {};
}

} // namespace gb::quantizers::inductor
