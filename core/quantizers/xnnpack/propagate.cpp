#include "quantizers/xnnpack/annotators.h"

namespace gb::quantizers::xnnpack {

using base::message;
using base::say;

namespace {

/// _is_share_obs_or_fq_op
const std::vector<std::string> kShareOps = {
    "aten.relu.default",
    "aten.hardtanh.default",
    "aten.hardtanh_.default",
    "aten.max_pool2d.default",
    "aten.mean.default",
    "aten.mean.dim",
    "aten.permute.default",
    "aten.permute_copy.default",
    "aten.squeeze.dim",
    "aten.squeeze_copy.dim",
    "aten.adaptive_avg_pool2d.default",
    "aten.view_copy.default",
    "aten.view.default",
    "aten.slice_copy.Tensor",
    "aten.flatten.using_ints",
};

void refuseNothingToShare(RuleRun& run, ir::Node* node, const ir::Node* producer, const char* found)
{
    run.refuse({node},
               {"producer_output_spec", "R9", producer ? say("{0}: {1}", producer->name(), found) : found,
                "a producer with an output spec",
                producer ? message("propagate has nothing to share with {0}: its producer {1} has {2}", node->name(),
                                   producer->name(), found)
                         : message("propagate has nothing to share with {0}: it has {1}", node->name(), found)});
}

} // namespace

base::Status propagateAnnotation(RuleContext& context)
{
    RuleRun run(context, ruleInfo("propagate", kShareOps, 1070), "all nodes");
    for (ir::Node* node : run.candidates()) {
        GB_ASSIGN(const ir::Argument first, argumentAt(*node, 0));
        const ir::Node* producer = run.graph().find(first.nodeId());
        if (!producer) {
            refuseNothingToShare(run, node, nullptr, "no node as first argument");
            continue;
        }
        if (!producer->annotation() || !producer->annotation()->output) {
            refuseNothingToShare(run, node, producer, producer->annotation() ? "no output spec" : "no label");
            continue;
        }
        if (run.refusedAsMarked({node}, {node}))
            continue;
        const ir::Spec shared = ir::makeSpec(ir::SharedQuantizationSpec{{producer->id()}});
        ir::Annotation annotation;
        annotation.setInput(producer->id(), shared);
        annotation.output = shared;
        annotation.annotated = true;
        run.take({node}).replace(node, std::move(annotation));
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
