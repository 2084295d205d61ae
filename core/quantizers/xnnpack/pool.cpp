#include "quantizers/xnnpack/partitioned.h"

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;

base::Status annotateAdaptiveAvgPool2d(const AnnotatorCall& call)
{
    constexpr const char* kTarget = "aten.adaptive_avg_pool2d.default";
    RuleRun run(call.context, ruleInfo("adaptive_avg_pool2d", {kTarget}, 674), call.filter.setting);
    GB_ASSIGN(const auto partitions, partitionsFor(run,
                                                   {moduleClass("torch.nn.modules.pooling.AdaptiveAvgPool2d"),
                                                    function("torch.nn.functional.adaptive_avg_pool2d")},
                                                   call.filter));
    for (const SourcePartition& partition : partitions) {
        GB_ASSIGN(ir::Node * pool, memberAt(partition.outputNodes, 0, "output nodes", partition));
        if (!pool->calls(kTarget))
            return Error{ErrorCode::ValueError, base::say("{0} found, {1} expected", pool->target(), kTarget),
                         "node " + pool->name()};
        if (run.refusedAsMarked({pool}, {pool}))
            continue;
        GB_ASSIGN(const ir::Node* input, inputAt(*pool, 0));

        // shares with its input's output where that has a label of its own
        const bool labelled = input->isAnnotated() && input->annotation()->output;
        ir::Annotation annotation;
        annotation.setInput(input->id(), labelled ? ir::makeSpec(ir::SharedQuantizationSpec{{input->id()}})
                                                  : call.config.inputActivation);
        annotation.output = ir::makeSpec(ir::SharedQuantizationSpec{{input->id(), pool->id()}});
        annotation.annotated = true;
        run.take({pool}).replace(pool, std::move(annotation));
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
