// add, mul and their fusions with relu.
#include "quantizers/xnnpack/annotators.h"
#include "quantizers/xnnpack/weighted.h"

#include <algorithm>
#include <cmath>

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

const std::vector<std::string> kAddTargets = {"aten.add.Tensor", "aten.add_.Tensor"};
const std::vector<std::string> kMulTargets = {"aten.mul.Tensor", "aten.mul_.Tensor"};

/// torch.histc works up to here
constexpr double kHistcUpperBound = 3.4028235e15;

/// _is_input_large_scalar. Error: AttributeError where the get_attr node refers to no tensor.
base::Result<bool> refusedAsLargeScalar(RuleRun& run, const Chain& chain, const ir::Node& input)
{
    if (input.op() != ir::Op::GetAttr)
        return false;
    const ir::Attribute* attribute = run.model().attribute(input.target());
    if (!attribute)
        return Error{ErrorCode::AttributeError, say("no tensor {0} in the model", input.target()),
                     "node " + input.name()};
    if (attribute->value.elementCount() != 1)
        return false;
    const double value = std::abs(attribute->value.at(0));
    if (!(value > kHistcUpperBound))
        return false;
    run.refuse(chain, {"large_scalar", "R8", base::shortNumber(value), say("at most {0}", kHistcUpperBound),
                       message("{0} leaves {1} in float: {2} is {3}, a histogram holds at most {4}", run.info().name,
                               nameList(chain), input.name(), value, kHistcUpperBound)});
    return true;
}

/// _is_input_non_float_tensor
bool refusedAsNonFloat(RuleRun& run, const Chain& chain, const ir::Node& input)
{
    const ir::TensorMeta* val = input.val();
    if (val && val->dtype == ir::DType::Float32)
        return false;
    const std::string found = val ? ir::name(val->dtype) : "no tensor metadata";
    run.refuse(chain, {"non_float_tensor", "R7", say("{0}: {1}", input.name(), found), "float32",
                       message("{0} leaves {1} in float: {2} has {3}, float32 expected", run.info().name,
                               nameList(chain), input.name(), found)});
    return true;
}

/// input_qspec_map of both operands; nothing where one of them was refused (and that was said).
base::Result<std::optional<ir::Annotation>> operandLabels(RuleRun& run, const Chain& chain, const ir::Node& op,
                                                          const QuantizationConfig& config)
{
    ir::Annotation out;
    for (std::size_t i = 0; i < 2; ++i) {
        GB_ASSIGN(const ir::Argument argument, argumentAt(op, i));
        const ir::Node* input = run.graph().find(argument.nodeId());
        if (!input)
            continue;
        GB_ASSIGN(const bool large, refusedAsLargeScalar(run, chain, *input));
        if (large || refusedAsNonFloat(run, chain, *input))
            return std::optional<ir::Annotation>();
        out.setInput(input->id(), config.inputActivation);
    }
    out.annotated = true;
    return std::optional(std::move(out));
}

base::Status annotateBinary(const AnnotatorCall& call, RuleInfo info)
{
    RuleRun run(call.context, std::move(info), call.filter.setting);
    for (ir::Node* op : run.candidates()) {
        if (run.refusedAsMarked({op}, {op}) || run.refusedByFilter({op}, {op}, call.filter))
            continue;
        GB_ASSIGN(std::optional<ir::Annotation> labels, operandLabels(run, {op}, *op, call.config));
        if (!labels)
            continue;
        labels->output = call.config.outputActivation;
        run.take({op}).replace(op, std::move(*labels));
    }
    return {};
}

base::Status annotateBinaryRelu(const AnnotatorCall& call, RuleInfo info, const std::vector<std::string>& producers)
{
    RuleRun run(call.context, std::move(info), call.filter.setting);
    for (ir::Node* relu : run.candidates()) {
        GB_ASSIGN(const ir::Argument first, argumentAt(*relu, 0));
        ir::Node* op = run.graph().find(first.nodeId());
        if (!op || op->op() != ir::Op::CallFunction || std::ranges::find(producers, op->target()) == producers.end()) {
            run.refuseProducer(relu, op, producers);
            continue;
        }
        const Chain chain = {op, relu};
        if (run.refusedByOtherUsers(chain, op) || run.refusedAsMarked(chain, {relu, op})
            || run.refusedByFilter(chain, {relu, op}, call.filter))
            continue;
        GB_ASSIGN(std::optional<ir::Annotation> labels, operandLabels(run, chain, *op, call.config));
        if (!labels)
            continue;
        Match match = run.take(chain);
        match.replace(op, std::move(*labels));
        ir::Annotation output;
        output.output = call.config.outputActivation;
        output.annotated = true;
        match.replace(relu, std::move(output));
    }
    return {};
}

} // namespace

base::Status annotateAddRelu(const AnnotatorCall& call)
{
    return annotateBinaryRelu(call, ruleInfo("add_relu", reluTargets(), 748), kAddTargets);
}

base::Status annotateAdd(const AnnotatorCall& call)
{
    return annotateBinary(call, ruleInfo("add", kAddTargets, 823));
}

base::Status annotateMulRelu(const AnnotatorCall& call)
{
    return annotateBinaryRelu(call, ruleInfo("mul_relu", reluTargets(), 877), kMulTargets);
}

base::Status annotateMul(const AnnotatorCall& call)
{
    return annotateBinary(call, ruleInfo("mul", kMulTargets, 950));
}

} // namespace gb::quantizers::xnnpack
