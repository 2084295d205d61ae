#include "passes/fold_conv_bn_qat.h"

#include "base/message.h"
#include "passes/fold_bn.h"
#include "passes/purity.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using ir::Node;

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

base::Status eraseBatchCounts(ir::GraphModule& model, trace::Recorder& recorder)
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
        e.sentence = base::message("{0} goes: it counts training batches", node->name());
        recorder.say(std::move(e));
        graph.erase(node);
    }
    return {};
}

} // namespace

base::Status foldConvBnQat(ir::GraphModule& model, PassContext& context)
{
    bool found = false;
    for (const ir::Node* n = model.graph().first(); n && !found; n = n->next())
        found = isBatchNorm(*n);
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "fold_conv_bn_qat";
    e.graph = model.graph().path();
    e.sentence = found ? base::message("look for convolutions with a batch norm that was trained with them")
                       : base::message("no batch norm to fold");
    const trace::Scope scope = context.recorder.open(std::move(e));
    if (!found)
        return {};
    GB_TRY(eliminateDeadCode(model));
    GB_TRY(eraseBatchCounts(model, context.recorder));
    return eliminateDeadCode(model);
}

} // namespace gb::passes
