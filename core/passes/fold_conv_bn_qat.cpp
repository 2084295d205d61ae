#include "passes/fold_conv_bn_qat.h"

#include "base/message.h"
#include "passes/fold_bn.h"
#include "passes/purity.h"

namespace gb::passes {

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
    return found ? eliminateDeadCode(model) : base::Status();
}

} // namespace gb::passes
