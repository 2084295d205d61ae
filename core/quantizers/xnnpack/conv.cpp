#include "quantizers/xnnpack/weighted.h"

namespace gb::quantizers::xnnpack {

base::Status annotateConv(const AnnotatorCall& call)
{
    RuleRun run(call.context, ruleInfo("conv", {"aten.conv1d.default", "aten.conv2d.default"}, 297),
                call.filter.setting);
    for (ir::Node* conv : run.candidates()) {
        GB_ASSIGN(const WeightedOp weighted, weightedOp(conv));
        const Chain partition = weighted.partition();
        if (run.refusedAsMarked({conv}, partition) || run.refusedByFilter({conv}, partition, call.filter))
            continue;
        Match match = run.take({conv});
        ir::Annotation annotation = weighted.inputLabels(call.config);
        annotation.output = call.config.outputActivation;
        annotation.annotated = true;
        match.replace(conv, std::move(annotation));
        match.mark(partition);
    }
    return {};
}

base::Status annotateConvRelu(const AnnotatorCall& call)
{
    return annotateFusedRelu(call, ruleInfo("conv_relu", reluTargets(), 405), convTargets());
}

base::Status annotateConvTransposeRelu(const AnnotatorCall& call)
{
    return annotateFusedRelu(call, ruleInfo("conv_transpose_relu", reluTargets(), 416), convTransposeTargets());
}

} // namespace gb::quantizers::xnnpack
