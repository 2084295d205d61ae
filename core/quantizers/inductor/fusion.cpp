// Fusions of conv and linear: (batch norm,) (add,) (activation).
#include "quantizers/inductor/rules.h"
#include "quantizers/sequential_partitions.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace gb::quantizers::inductor {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

const PartitionSource kConv1d = moduleClass("torch.nn.modules.conv.Conv1d");
const PartitionSource kConv2d = moduleClass("torch.nn.modules.conv.Conv2d");
const PartitionSource kBatchNorm = moduleClass("torch.nn.modules.batchnorm.BatchNorm2d");
const PartitionSource kAdd = function("_operator.add");
const PartitionSource kLinear = moduleClass("torch.nn.modules.linear.Linear");

/// The ops that an add or an activation exports to: where a chain of sources could have ended.
const std::vector<std::pair<std::string_view, std::vector<std::string>>>& lastOps()
{
    static const std::vector<std::pair<std::string_view, std::vector<std::string>>> kOps = {
        {"_operator.add", {"aten.add.Tensor", "aten.add_.Tensor"}},
        {"torch.nn.modules.activation.ReLU", {"aten.relu.default", "aten.relu_.default"}},
        {"torch.nn.modules.activation.Hardtanh", {"aten.hardtanh.default", "aten.hardtanh_.default"}},
        {"torch.nn.modules.activation.Hardswish", {"aten.hardswish.default", "aten.hardswish_.default"}},
        {"torch.nn.modules.activation.ReLU6",
         {"aten.relu6.default", "aten.relu6_.default", "aten.hardtanh.default", "aten.hardtanh_.default"}},
        {"torch.nn.modules.activation.SiLU", {"aten.silu.default", "aten.silu_.default"}},
        {"torch.nn.modules.activation.LeakyReLU", {"aten.leaky_relu.default", "aten.leaky_relu_.default"}},
        {"torch.nn.modules.activation.Tanh", {"aten.tanh.default", "aten.tanh_.default"}},
        {"torch.nn.modules.activation.GELU", {"aten.gelu.default", "aten.gelu_.default"}},
    };
    return kOps;
}

bool exportsTo(const PartitionSource& source, const std::string& target)
{
    const auto found = std::ranges::find(lastOps(), source.text, [](const auto& row) { return row.first; });
    return found != lastOps().end() && std::ranges::find(found->second, target) != found->second.end();
}

PartitionSource activation(const char* name)
{
    return moduleClass(std::string("torch.nn.modules.activation.") + name);
}

using Sequences = std::vector<std::vector<PartitionSource>>;

/// One of torchao's methods: the sequences that it looks for and what is special about it.
struct Fusion {
    const char* name;
    int line;
    Sequences sequences;
    std::vector<std::string> targets; ///< what the conv or linear must be
    bool batchNorm = false;
    bool binary = false;
    bool unary = false;
    bool isLinear = false; ///< a partition of several outputs is left alone, add's other input gets no label
};

/// The output nodes of a sequence's partitions.
struct Members {
    ir::Node* gemm = nullptr;
    ir::Node* batchNorm = nullptr;
    ir::Node* binary = nullptr;
    ir::Node* unary = nullptr;
    ir::Node* extraInput = nullptr; ///< the binary op's other operand

    /// Last node first, as torchao hands them to _skip_annotate.
    [[nodiscard]] Chain backwards() const
    {
        Chain out;
        for (ir::Node* node : {unary, binary, batchNorm, gemm})
            if (node)
                out.push_back(node);
        return out;
    }
    /// The node that ends the pattern.
    [[nodiscard]] ir::Node* end() const { return unary ? unary : binary ? binary : batchNorm; }
};

/// _get_output_nodes_of_partitions
base::Result<Members> membersOf(const Fusion& fusion, const std::vector<SourcePartition>& sequence)
{
    std::vector<ir::Node*> outputs;
    for (const SourcePartition& partition : sequence) {
        const std::string place = "node " + partition.nodes.front()->name();
        if (partition.outputNodes.size() > 1)
            return Error{ErrorCode::ValueError,
                         say("the partition {0} has {1} output nodes, one expected", nameList(partition.nodes),
                             partition.outputNodes.size()),
                         place};
        if (partition.outputNodes.empty())
            return Error{ErrorCode::IndexError,
                         say("the partition {0} has no output node, one expected", nameList(partition.nodes)), place};
        outputs.push_back(partition.outputNodes.front());
    }
    Members out;
    std::size_t next = 0;
    out.gemm = outputs[next++];
    if (fusion.batchNorm)
        out.batchNorm = outputs[next++];
    if (fusion.binary)
        out.binary = outputs[next++];
    if (fusion.unary)
        out.unary = outputs[next++];
    return out;
}

/// node.args[index].op: AttributeError on a number.
base::Result<ir::Node*> operand(const ir::Node& binary, std::size_t index)
{
    GB_ASSIGN(const ir::Argument argument, argumentAt(binary, index));
    if (ir::Node* node = binary.graph().find(argument.nodeId()))
        return node;
    return Error{ErrorCode::AttributeError, say("argument {0} is no node, a node expected", index),
                 "node " + binary.name()};
}

/// _get_input_idx_for_binary_node: the other operand of the binary op.
base::Result<ir::Node*> extraInput(const ir::Node* producer, const ir::Node& binary)
{
    const auto isProducer = [&](const ir::Node* node) {
        return node == producer && node->op() == ir::Op::CallFunction;
    };
    GB_ASSIGN(const ir::Node* first, operand(binary, 0));
    if (isProducer(first))
        return inputAt(binary, 1);
    GB_ASSIGN(const ir::Node* second, operand(binary, 1));
    if (isProducer(second))
        return inputAt(binary, 0);
    return Error{ErrorCode::TypeError, say("{0} is none of its first two arguments", producer->name()),
                 "node " + binary.name()};
}

/// Whether torchao goes on with the chain; says why not. Fills in the binary op's other input.
base::Result<bool> accepted(RuleRun& run, const RuleCall& call, const Fusion& fusion, Members& members)
{
    const Chain chain = members.backwards();
    if (members.binary) {
        const ir::Node* producer = members.batchNorm ? members.batchNorm : members.gemm;
        if (run.refusedByOtherUsers(chain, producer))
            return false;
        GB_ASSIGN(members.extraInput, extraInput(producer, *members.binary));
    }
    if (members.gemm->op() != ir::Op::CallFunction
        || std::ranges::find(fusion.targets, members.gemm->target()) == fusion.targets.end()) {
        run.refuse(chain, {"target", "R2", members.gemm->target(), fusion.targets.front(),
                           message("{0} leaves {1} alone: {2} is {3}, {4} expected", fusion.name, nameList(chain),
                                   members.gemm->name(), members.gemm->target(), fusion.targets.front())});
        return false;
    }
    GB_ASSIGN(const bool skip, skipAnnotate(run, chain, call.filter));
    return !skip;
}

base::Status writeLabels(Match& match, const Fusion& fusion, const Members& members, const QuantizationConfig& config)
{
    GB_ASSIGN(ir::Annotation inputs, weightedLabels(*members.gemm, config, false));
    match.replace(members.gemm, std::move(inputs));
    // batch norm gets a label only where it ends the pattern
    if (members.binary) {
        ir::Annotation label = annotation(members.end() == members.binary);
        if (!fusion.isLinear) // add's other input stays in float behind a linear, for accuracy
            label.setInput(members.extraInput->id(), config.inputActivation);
        if (fusion.batchNorm && members.end() == members.binary)
            label.output = config.outputActivation;
        match.replace(members.binary, std::move(label));
    }
    if (members.end() != members.binary) {
        ir::Annotation label = annotation(true);
        if (fusion.batchNorm)
            label.output = config.outputActivation;
        match.replace(members.end(), std::move(label));
    }
    return {};
}

using Found = std::vector<std::vector<SourcePartition>>;

std::unordered_set<const ir::Node*> membersIn(const Found& found)
{
    std::unordered_set<const ir::Node*> out;
    for (const auto& sequence : found)
        for (const SourcePartition& partition : sequence)
            out.insert(partition.nodes.begin(), partition.nodes.end());
    return out;
}

/// What stands before the last op of a chain that could have been fused, from it back to the gemm; empty for none.
Chain fusableBefore(const Fusion& fusion, const ir::Node& last)
{
    std::vector<std::function<bool(const ir::Node*)>> wanted; // from the last one back
    if (fusion.binary && fusion.unary)
        wanted.emplace_back([](const ir::Node* n) { return exportsTo(kAdd, n->target()); });
    if (fusion.batchNorm)
        wanted.emplace_back([](const ir::Node* n) { return n->target() == "aten.batch_norm.default"; });
    wanted.emplace_back(
        [&](const ir::Node* n) { return std::ranges::find(fusion.targets, n->target()) != fusion.targets.end(); });
    Chain out;
    const ir::Node* at = &last;
    for (const auto& isWanted : wanted) {
        const auto found = std::ranges::find_if(at->inputs(), isWanted);
        if (found == at->inputs().end())
            return {};
        out.push_back(*found);
        at = *found;
    }
    return out;
}

/// torchao passes over these without a look: an add or activation that no chain of sources ends with, and a conv whose
/// op has no rule of its own. Says of the first whether an op to fuse stands before it, and then what its source is.
void refuseUnseen(RuleRun& run, const Fusion& fusion, const Found& found, const ListFilter& filter)
{
    // of a setting for other modules or ops there is nothing to say; the global one counts default ops, and has none
    // here
    const auto reaches = [&filter](const Chain& nodes, bool alone) {
        const auto accepted = filter.accepts(nodes);
        return !accepted || *accepted || (alone && filter.setting == "global");
    };
    const auto seen = membersIn(found);
    const bool isShort = !fusion.batchNorm && !(fusion.binary && fusion.unary); // says what the longer ones would, too
    for (ir::Node* node = run.graph().first(); node; node = node->next()) {
        if (node->op() != ir::Op::CallFunction || node->isAnnotated() || seen.contains(node))
            continue;
        std::string wanted;
        for (const auto& sequence : fusion.sequences)
            if (exportsTo(sequence.back(), node->target()))
                wanted = sequence.back().text;
        if (wanted.empty()) {
            const auto target = std::ranges::find(fusion.targets, node->target());
            if (isShort && target != fusion.targets.end() && target != fusion.targets.begin() && reaches({node}, true))
                run.refuse({node},
                           {"longer_pattern", "R1", "users: " + nameList(node->users()), "an activation behind it",
                            message("{0} takes {1} only with an activation behind it, found {2}", fusion.name,
                                    node->name(), nameList(node->users()))});
            continue;
        }
        Chain chain = fusableBefore(fusion, *node);
        if (chain.empty()) {
            if (isShort && reaches({node}, true))
                run.refuseProducer(node, node->inputs().empty() ? nullptr : node->inputs().front(), fusion.targets);
            continue;
        }
        const ir::Node* before = chain.front();
        chain.insert(chain.begin(), node);
        if (!reaches(chain, false))
            continue;
        const std::string source = describeSource(*node);
        run.refuse({node},
                   {"source_partition", "R3", source, "source " + wanted,
                    message("rule {0} does not see {1} behind {2}: it goes by source metadata and wants {3}, the "
                            "node has {4}",
                            fusion.name, node->name(), before->name(), wanted, source)});
    }
}

base::Status annotateFusion(const RuleCall& call, const Fusion& fusion)
{
    RuleRun run(call.context, ruleInfo(fusion.name, fusion.targets, fusion.line), call.filter.setting);
    Found found;
    for (const auto& sequence : fusion.sequences) {
        GB_ASSIGN(auto more, findSequentialPartitions(run.graph(), sequence));
        std::ranges::move(more, std::back_inserter(found));
    }
    for (const auto& sequence : found) {
        const auto several = std::ranges::find_if(
            sequence, [](const SourcePartition& partition) { return partition.outputNodes.size() > 1; });
        if (fusion.isLinear && several != sequence.end()) {
            Chain chain = several->nodes; // and what would have been fused with it
            for (const SourcePartition& partition : sequence)
                if (&partition != &*several)
                    std::ranges::copy(partition.outputNodes, std::back_inserter(chain));
            run.refuse(chain, {"several_outputs", "R6", say("{0} output nodes", several->outputNodes.size()), "one",
                               message("{0} was refused: the partition {1} has {2} output nodes, one expected",
                                       fusion.name, nameList(several->nodes), several->outputNodes.size())});
            continue;
        }
        GB_ASSIGN(Members members, membersOf(fusion, sequence));
        GB_ASSIGN(const bool take, accepted(run, call, fusion, members));
        if (!take)
            continue;
        Chain chain = members.backwards();
        std::ranges::reverse(chain);
        Match match = run.take(chain);
        if (call.config) {
            GB_TRY(writeLabels(match, fusion, members, *call.config));
        } else {
            // batch norm is written on only where it ends the pattern; else marking it below is all
            std::erase_if(chain, [&](const ir::Node* n) { return n == members.batchNorm && n != members.end(); });
            annotateNotQuantize(match, chain);
        }
        if (fusion.batchNorm)
            for (const SourcePartition& partition : sequence)
                match.mark(partition.nodes, annotation(false));
    }
    refuseUnseen(run, fusion, found, call.filter);
    return {};
}

base::Status annotateQatConv2dFusionPattern(const RuleCall& call, const Backend& backend)
{
    const std::vector<std::string> conv = {"aten.conv2d.default"};
    const Fusion binaryUnary{
        "qat_conv2d_bn_binary_unary", 764, {{kConv2d, kBatchNorm, kAdd, activation("ReLU")}}, conv, true, true, true};
    const Fusion binary{"qat_conv2d_bn_binary", 842, {{kConv2d, kBatchNorm, kAdd}}, conv, true, true};
    Fusion unary{"qat_conv2d_bn_unary", 906, {}, conv, true, false, true};
    for (const char* name : {"ReLU", "Hardtanh", "Hardswish", "ReLU6", "SiLU"})
        unary.sequences.push_back({kConv2d, kBatchNorm, activation(name)});
    const Fusion alone{"qat_conv2d_bn", 962, {{kConv2d, kBatchNorm}}, conv, true};
    if (backend.isX86)
        GB_TRY(annotateFusion(call, binaryUnary));
    GB_TRY(annotateFusion(call, binary));
    if (backend.isX86)
        GB_TRY(annotateFusion(call, unary));
    return annotateFusion(call, alone);
}

} // namespace

base::Status annotateConv2dFusionPattern(const RuleCall& call, const Backend& backend)
{
    if (!call.config || call.config->isQat)
        GB_TRY(annotateQatConv2dFusionPattern(call, backend));
    const std::vector<std::string> conv2d = {"aten.conv2d.default"};
    const Fusion binaryUnary{
        "conv2d_binary_unary", 1054, {{kConv2d, kAdd, activation("ReLU")}}, conv2d, false, true, true};
    const Fusion binary{"conv2d_binary", 1107, {{kConv2d, kAdd}}, conv2d, false, true};
    Fusion unary{"conv2d_unary", 1158, {}, {"aten.conv2d.default", "aten.conv1d.default"}, false, false, true};
    for (const char* name : {"ReLU", "Hardtanh", "Hardswish", "ReLU6", "SiLU"})
        unary.sequences.push_back({kConv2d, activation(name)});
    unary.sequences.push_back({kConv1d, activation("ReLU")});
    if (backend.isX86)
        GB_TRY(annotateFusion(call, binaryUnary));
    GB_TRY(annotateFusion(call, binary));
    if (backend.isX86)
        GB_TRY(annotateFusion(call, unary));
    return annotateConv2d(call);
}

base::Status annotateLinearFusionPattern(const RuleCall& call, const Backend& backend)
{
    const std::vector<std::string> linear = {"aten.linear.default"};
    if (backend.isX86) {
        const Fusion binaryUnary{
            "linear_binary_unary", 1504, {{kLinear, kAdd, activation("ReLU")}}, linear, false, true, true, true};
        const Fusion binary{"linear_binary_unary", 1504, {{kLinear, kAdd}}, linear, false, true, false, true};
        GB_TRY(annotateFusion(call, binaryUnary));
        GB_TRY(annotateFusion(call, binary));
    }
    Fusion unary{"linear_unary", 1459, {}, linear, false, false, true, true};
    for (const char* name : {"ReLU", "LeakyReLU", "Tanh", "GELU"})
        unary.sequences.push_back({kLinear, activation(name)});
    GB_TRY(annotateFusion(call, unary));
    return annotateLinear(call);
}

} // namespace gb::quantizers::inductor
