#include "quantizers/xnnpack/weighted.h"

namespace gb::quantizers::xnnpack {

base::Status annotateLinear(const AnnotatorCall& call)
{
    RuleRun run(call.context, ruleInfo("linear", {"aten.linear.default"}, 183), call.filter.setting);
    for (ir::Node* linear : run.candidates()) {
        if (run.refusedByFilter({linear}, {linear}, call.filter))
            continue;
        GB_ASSIGN(const WeightedOp weighted, weightedOp(linear));
        // of the partition only the op counts here: two calls of one linear are both labelled (unlike a conv)
        if (run.refusedAsMarked({linear}, {linear}))
            continue;
        // edits an annotation that is there already, where the other rules put a new one
        Match match = run.take({linear});
        match.setInput(linear, weighted.input, call.config.inputActivation);
        match.setInput(linear, weighted.weight, call.config.weight);
        if (weighted.bias)
            match.setInput(linear, weighted.bias, call.config.bias);
        match.setOutput(linear, call.config.outputActivation);
        match.mark(weighted.partition());
    }
    return {};
}

base::Status annotateLinearRelu(const AnnotatorCall& call)
{
    return annotateFusedRelu(call, ruleInfo("linear_relu", reluTargets(), 231), {"aten.linear.default"});
}

} // namespace gb::quantizers::xnnpack
