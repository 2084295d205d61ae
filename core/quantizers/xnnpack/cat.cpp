#include "quantizers/xnnpack/partitioned.h"

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::say;

namespace {

/// Labels of a list of tensors: the first gets the config's spec, the others share with it.
base::Result<ir::Annotation> catLabels(const ir::Node& cat, const QuantizationConfig& config)
{
    GB_ASSIGN(const ir::Argument first, argumentAt(cat, 0));
    const auto* inputs = first.as<ir::Sequence>();
    if (!inputs || inputs->items.empty())
        return Error{inputs ? ErrorCode::IndexError : ErrorCode::TypeError, "no list of tensors to concatenate",
                     "node " + cat.name()};
    ir::Annotation out;
    const ir::NodeId input0 = inputs->items.front().nodeId();
    if (input0 != ir::kNoNode)
        out.setInput(input0, config.inputActivation);
    const ir::Spec shared = ir::makeSpec(ir::SharedQuantizationSpec{{input0, cat.id()}});
    for (std::size_t i = 1; i < inputs->items.size(); ++i) {
        const ir::NodeId input = inputs->items[i].nodeId();
        if (input != ir::kNoNode && !out.input(input))
            out.setInput(input, shared);
    }
    out.output = shared;
    out.annotated = true;
    return out;
}

} // namespace

base::Status annotateCat(const AnnotatorCall& call)
{
    constexpr const char* kTarget = "aten.cat.default";
    RuleRun run(call.context, ruleInfo("cat", {kTarget}, 1004), call.filter.setting);
    GB_ASSIGN(const auto partitions, partitionsFor(run, {function("torch.cat")}, call.filter));
    for (const SourcePartition& partition : partitions) {
        GB_ASSIGN(ir::Node * cat, memberAt(partition.outputNodes, 0, "output nodes", partition));
        if (run.refusedAsMarked({cat}, {cat}))
            continue;
        if (cat->target() != kTarget)
            return Error{ErrorCode::Exception, say("{0} found, {1} expected", cat->target(), kTarget),
                         "node " + cat->name()};
        GB_ASSIGN(ir::Annotation labels, catLabels(*cat, call.config));
        run.take({cat}).replace(cat, std::move(labels));
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
