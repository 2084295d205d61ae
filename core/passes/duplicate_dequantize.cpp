#include "passes/duplicate_dequantize.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/quantize_ops.h"

#include <set>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Status;
using ir::Argument;
using ir::Node;

/// choose_qparams - getitem - quantize - dequantize; torchao looks for the asymmetric choose_qparams only
bool isDynamic(const ir::Graph& graph, const Node& dq)
{
    const Node* q = graph.find(dq.arg(0).nodeId());
    const Node* item = q && isQuantize(*q) ? graph.find(q->arg(1).nodeId()) : nullptr;
    const Node* chosen = item && item->calls(kGetItem) ? graph.find(item->arg(0).nodeId()) : nullptr;
    return chosen && chosen->calls(kChooseQParams);
}

/// _maybe_duplicate_dq
void duplicateFor(ir::Graph& graph, Node* dq, Node* user, trace::Recorder& recorder)
{
    if (!hasValidAnnotation(*user))
        return;
    trace::Event e;
    e.kind = trace::EventKind::Rewrite;
    e.name = "duplicate";
    e.graph = graph.path();
    e.nodes = {dq->id(), user->id()};
    e.sentence = message("{0} gets a {1} of its own", user->name(), dq->name());
    const int index = recorder.say(std::move(e));
    Node* copy = graph.insertAfter(dq, {dq->op(), dq->target(), dq->args(), dq->kwargs(), dq->name(), dq->metaPtr()});
    if (dq->annotation())
        graph.setAnnotation(copy, dq->annotation());
    recorder.at(index).nodes.push_back(copy->id());

    const auto swap = [&](ir::NodeId id) { return Argument::node(id == dq->id() ? copy->id() : id); };
    std::vector<Argument> args;
    for (const Argument& argument : user->args())
        args.push_back(ir::mapNodes(argument, swap));
    // torch.fx sets args, then kwargs: with args alone changed, a dequantize in kwargs keeps its user for a moment,
    // which changes nothing in the end
    auto kwargs = user->kwargs();
    for (auto& [key, argument] : kwargs)
        argument = ir::mapNodes(argument, swap);
    graph.setArgs(user, std::move(args), std::move(kwargs));
}

/// delete_all_unused_submodules of step 1 takes the sub-graphs of sub-graphs for unused, and the lint of this pass's
/// dead code elimination then misses them (pytorch/ao, case c40).
Status refuseLostSubgraphs(const ir::GraphModule& model)
{
    std::set<std::string> handed;
    for (const Node* n = model.graph().first(); n; n = n->next())
        if (n->op() == ir::Op::GetAttr)
            handed.insert(n->target());
    for (const auto& [target, sub] : model.subgraphs()) {
        if (!handed.contains(target) || target.find('.') != std::string::npos)
            continue;
        for (const Node* n = sub->graph().first(); n; n = n->next())
            if (n->op() == ir::Op::GetAttr && sub->subgraph(n->target()))
                return Error{ErrorCode::Exception,
                             base::say("convert lost the sub-graph {0} of {1}: sub-graphs within sub-graphs cannot be "
                                       "converted",
                                       n->target(), target),
                             "pass DuplicateDQPass"};
    }
    return {};
}

} // namespace

Status duplicateDequantize(ir::GraphModule& model, PassContext& context)
{
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "duplicate_dq";
    e.graph = model.graph().path();
    e.sentence = message("give every labelled user its own dequantize");
    const trace::Scope scope = context.recorder.open(std::move(e));
    ir::Graph& graph = model.graph();
    // copies are visited too, as in torchao; they have one user
    for (Node* node = graph.first(); node; node = node->next()) {
        if (!isDequantize(*node))
            continue;
        const std::vector<Node*> users = usersWithoutSymSize(*node);
        if (users.size() <= 1 || isDynamic(graph, *node))
            continue;
        for (Node* user : users)
            duplicateFor(graph, node, user, context.recorder);
    }
    GB_TRY(refuseLostSubgraphs(model));
    return eliminateDeadCode(model);
}

} // namespace gb::passes
