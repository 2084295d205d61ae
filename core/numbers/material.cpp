#include "numbers/material.h"

#include "passes/convert.h"
#include "quant/observer.h"

namespace gb::numbers {
namespace {

void removeObservers(ir::GraphModule& model)
{
    ir::Graph& graph = model.graph();
    for (ir::Node* node : graph.nodes()) {
        if (node->op() != ir::Op::CallModule
            || !std::dynamic_pointer_cast<quant::Observer>(model.module(node->target())))
            continue;
        graph.replaceAllUses(node, graph.find(node->arg(0).nodeId()));
        const std::string name = node->target();
        graph.erase(node);
        model.eraseModule(name);
    }
    for (const auto& [target, sub] : model.subgraphs())
        removeObservers(*sub);
}

} // namespace

std::shared_ptr<ir::GraphModule> withoutObservers(const ir::GraphModule& prepared)
{
    auto out = prepared.clone();
    removeObservers(*out);
    return out;
}

base::Result<std::shared_ptr<ir::GraphModule>> convertedCopy(const engine::Calibrated& calibrated,
                                                             const base::Work& work)
{
    auto out = calibrated.module->clone();
    trace::Recorder recorder({});
    const auto kernels = ops::KernelTable::shared();
    out->setListener(&recorder);
    passes::PassContext context{recorder, *kernels, base::Work{work.stop, {}}};
    const base::Status done = passes::convert(*out, calibrated.foldQuantize, context, calibrated.scopes);
    out->setListener(nullptr);
    if (!done)
        return done.error();
    return out;
}

} // namespace gb::numbers
