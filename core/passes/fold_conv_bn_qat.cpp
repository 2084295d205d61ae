#include "passes/fold_conv_bn_qat.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/fold_bn.h"
#include "passes/qat_nodes.h"
#include "passes/qat_patterns.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Status;
using ir::Node;

/// replacement_options: itertools.product without the forms that only differ in a quantized bias that is not there
std::vector<QuantizedForm> allForms()
{
    std::vector<QuantizedForm> out;
    for (const bool perChannel : {true, false})
        for (const bool hasBias : {true, false})
            for (const bool biasIsQuantized : {true, false})
                for (const bool training : {true, false})
                    if (hasBias || !biasIsQuantized)
                        out.push_back({perChannel, hasBias, biasIsQuantized, training});
    return out;
}

RewriteRule foldRule(const QatConv& conv, const QuantizedForm& form)
{
    RewriteRule rule{.pattern = quantizedQatConvBn(conv, form), .replacement = foldedQuantizedQatConvBn(conv, form)};
    rule.event = [](const ir::Graph& graph, const ir::PatternMatch& match) {
        trace::Event e;
        e.kind = trace::EventKind::Rewrite;
        e.name = "fold_conv_bn_qat";
        e.graph = graph.path();
        const Node* convolution = match.node(graph, "conv");
        const Node* bn = match.node(graph, "bn");
        e.nodes = {convolution->id(), bn->id()};
        e.sentence = message("the graph that trained {0} with {1} becomes quantize and dequantize of the weight, a "
                             "convolution and a batch norm",
                             convolution->name(), bn->name());
        return e;
    };
    return rule;
}

/// Steps 2 to 4 of _fold_conv_bn_qat_helper for one replacement.
Status finish(ir::GraphModule& model, const RewriteRule& rule, const Rewritten& done, PassContext& context)
{
    ir::Graph& graph = model.graph();
    GB_ASSIGN(const std::vector<QatPair> pairs, qatPairs(graph, rule, done));
    for (const QatPair& pair : pairs) {
        graph.setMeta(pair.now, pair.before->metaPtr());
        if (pair.now->annotation() != pair.before->annotation())
            graph.setAnnotation(pair.now, pair.before->annotation());
    }
    for (const QatRole role :
         {QatRole::WeightQuantize, QatRole::WeightDequantize, QatRole::BiasQuantize, QatRole::BiasDequantize})
        if (const QatPair* pair = find(pairs, role))
            copyQuantizeArgs(*pair->before, pair->now);
    const QatPair& conv = *find(pairs, QatRole::Conv);
    const QatPair* bias = find(pairs, QatRole::Bias);
    GB_TRY(foldBnIntoConv(model,
                          {conv.now, find(pairs, QatRole::BatchNorm)->now,
                           ir::Argument::node(find(pairs, QatRole::Weight)->now->id()),
                           bias ? ir::Argument::node(bias->now->id()) : ir::Argument()},
                          context));
    copyLiteralConvArgs(*conv.before, conv.now);
    return {};
}

/// _fold_conv_bn_qat_helper
Status foldAll(ir::GraphModule& model, const QatConv& conv, PassContext& context)
{
    GB_TRY(eliminateDeadCode(model));
    std::vector<std::pair<RewriteRule, std::vector<Rewritten>>> done;
    for (const QuantizedForm& form : allForms()) {
        RewriteRule rule = foldRule(conv, form);
        GB_ASSIGN(std::vector<Rewritten> replaced, replacePattern(model, rule, context.recorder));
        done.emplace_back(std::move(rule), std::move(replaced));
    }
    for (const auto& [rule, replaced] : done)
        for (const Rewritten& one : replaced)
            GB_TRY(finish(model, rule, one, context));
    return eliminateDeadCode(model);
}

/// `num_batches_tracked.add_(1)` of a BatchNorm2d
bool countsBatches(const ir::Graph& graph, const Node& node)
{
    const Node* counter = node.calls("aten.add_.Tensor") ? graph.find(node.arg(0).nodeId()) : nullptr;
    const auto* one = node.arg(1).as<std::int64_t>();
    return counter && counter->op() == ir::Op::GetAttr && one && *one == 1
           && std::ranges::any_of(node.meta().nnModuleStack, [](const ir::ModuleFrame& frame) {
                  return frame.type == "torch.nn.modules.batchnorm.BatchNorm2d";
              });
}

Status eraseBatchCounts(ir::GraphModule& model, trace::Recorder& recorder)
{
    ir::Graph& graph = model.graph();
    for (Node* node : graph.nodes()) {
        if (!countsBatches(graph, *node))
            continue;
        if (!node->users().empty())
            return Error{ErrorCode::RuntimeError,
                         base::say("tried to erase it, but {0} users are left", node->users().size()),
                         "node " + node->name()};
        trace::Event e;
        e.kind = trace::EventKind::Rewrite;
        e.name = "erase_batch_count";
        e.graph = graph.path();
        e.nodes = {node->id()};
        e.sentence = message("{0} goes: it counts training batches", node->name());
        recorder.say(std::move(e));
        graph.erase(node);
    }
    return {};
}

} // namespace

Status foldConvBnQat(ir::GraphModule& model, PassContext& context)
{
    const bool found = hasBatchNorm(model.graph());
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "fold_conv_bn_qat";
    e.graph = model.graph().path();
    e.sentence = found ? message("look for convolutions with a batch norm that was trained with them")
                       : message("no batch norm to fold");
    const trace::Scope scope = context.recorder.open(std::move(e));
    if (!found)
        return {};
    for (const QatConv& conv : kQatConvs) {
        if (context.work.cancelled())
            return Error{ErrorCode::Cancelled, "stopped by the user", {}};
        GB_TRY(foldAll(model, conv, context));
    }
    GB_TRY(eraseBatchCounts(model, context.recorder));
    return eliminateDeadCode(model);
}

} // namespace gb::passes
