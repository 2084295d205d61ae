#include "quantizers/xnnpack/weighted.h"

#include <algorithm>

namespace gb::quantizers::xnnpack {

Chain WeightedOp::partition() const
{
    Chain out = {op, weight};
    if (bias)
        out.push_back(bias);
    return out;
}

ir::Annotation WeightedOp::inputLabels(const QuantizationConfig& config) const
{
    ir::Annotation out;
    out.setInput(input->id(), config.inputActivation);
    out.setInput(weight->id(), config.weight);
    if (bias)
        out.setInput(bias->id(), config.bias);
    return out;
}

base::Result<WeightedOp> weightedOp(ir::Node* op)
{
    WeightedOp out;
    out.op = op;
    GB_ASSIGN(out.input, inputAt(*op, 0));
    GB_ASSIGN(out.weight, inputAt(*op, 1));
    out.bias = op->graph().find(op->arg(2).nodeId());
    return out;
}

const std::vector<std::string>& convTargets()
{
    static const std::vector<std::string> kTargets = {"aten.conv1d.default", "aten.conv1d.padding",
                                                      "aten.conv2d.default", "aten.conv2d.padding",
                                                      "aten.conv3d.default", "aten.conv3d.padding"};
    return kTargets;
}

const std::vector<std::string>& convTransposeTargets()
{
    static const std::vector<std::string> kTargets = {"aten.conv_transpose1d.default", "aten.conv_transpose2d.input",
                                                      "aten.conv_transpose3d.input"};
    return kTargets;
}

const std::vector<std::string>& reluTargets()
{
    static const std::vector<std::string> kTargets = {"aten.relu.default", "aten.relu_.default"};
    return kTargets;
}

base::Status annotateFusedRelu(const AnnotatorCall& call, RuleInfo info, const std::vector<std::string>& producers)
{
    RuleRun run(call.context, std::move(info), call.filter.setting);
    for (ir::Node* relu : run.candidates()) {
        GB_ASSIGN(const ir::Argument first, argumentAt(*relu, 0));
        ir::Node* producer = run.graph().find(first.nodeId());
        if (!producer || producer->op() != ir::Op::CallFunction
            || std::ranges::find(producers, producer->target()) == producers.end()) {
            run.refuseProducer(relu, producer, producers);
            continue;
        }
        if (run.refusedByOtherUsers({producer, relu}, producer))
            continue;
        GB_ASSIGN(const WeightedOp weighted, weightedOp(producer));
        Chain partition = weighted.partition();
        partition.insert(partition.begin(), relu);
        if (run.refusedAsMarked({producer, relu}, partition)
            || run.refusedByFilter({producer, relu}, partition, call.filter))
            continue;

        Match match = run.take({producer, relu});
        ir::Annotation inputs = weighted.inputLabels(call.config);
        inputs.annotated = true;
        match.replace(producer, std::move(inputs));
        ir::Annotation output;
        output.output = call.config.outputActivation;
        output.annotated = true;
        match.replace(relu, std::move(output));
        match.mark(partition);
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
