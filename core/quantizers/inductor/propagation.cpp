// Pools, cat and flatten run in int8 where their inputs do: labels for their inputs, then for their outputs.
#include "quantizers/inductor/rules.h"

#include <algorithm>

namespace gb::quantizers::inductor {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

constexpr const char* kCat = "aten.cat.default";
constexpr const char* kFlatten = "aten.flatten.using_ints";
constexpr const char* kMaxPool = "aten.max_pool2d.default";

std::vector<std::string> texts(const OpSet& ops)
{
    return {ops.begin(), ops.end()};
}

/// node.all_input_nodes[0]: IndexError where there is none.
base::Result<ir::Node*> firstInput(const ir::Node& node)
{
    if (!node.inputs().empty())
        return node.inputs().front();
    return Error{ErrorCode::IndexError, "no input node, one expected", "node " + node.name()};
}

/// True when one of the inputs is no output of a quantized pattern; says which (R9).
base::Result<bool> refusedAsUnconnected(RuleRun& run, ir::Node* node, const std::vector<ir::Node*>& inputs)
{
    for (const ir::Node* input : inputs) {
        GB_ASSIGN(const bool quantized, isQuantizedOp(*input));
        if (quantized)
            continue;
        run.refuse({node}, {"quantized_inputs", "R9", input->name() + " is not the output of a quantized pattern",
                            "inputs from quantized patterns",
                            message("nothing is propagated to {0}: its input {1} is not the output of a quantized "
                                    "pattern",
                                    node->name(), input->name())});
        return true;
    }
    return false;
}

/// flatten is worth it only in front of an op that runs in int8.
bool refusedAsUseless(RuleRun& run, ir::Node* node)
{
    const bool useful = node->users().empty() || std::ranges::any_of(node->users(), [](const ir::Node* user) {
                            return contains(quantizableOps(), user->target());
                        });
    if (useful)
        return false;
    run.refuse({node}, {"quantizable_user", "R9", "users: " + nameList(node->users()), "a quantizable op as user",
                        message("nothing is propagated to {0}: none of its users ({1}) can be quantized", node->name(),
                                nameList(node->users()))});
    return true;
}

/// _annotate_cat: the first input gets the spec, the others share with it.
base::Result<ir::Annotation> catLabels(const ir::Node& cat, const QuantizationConfig& config)
{
    GB_ASSIGN(const ir::Argument first, argumentAt(cat, 0));
    const auto* inputs = first.as<ir::Sequence>();
    if (!inputs || inputs->items.empty())
        return Error{inputs ? ErrorCode::IndexError : ErrorCode::AssertionError, "no list of tensors to concatenate",
                     "node " + cat.name()};
    ir::Annotation out = annotation(true);
    const ir::NodeId input0 = inputs->items.front().nodeId();
    const ir::Spec shared = ir::makeSpec(ir::SharedQuantizationSpec{{input0, cat.id()}});
    for (const ir::Argument& item : inputs->items) {
        if (item.nodeId() == ir::kNoNode)
            return Error{ErrorCode::AssertionError, "an item of its list is no node", "node " + cat.name()};
        if (!out.input(item.nodeId()))
            out.setInput(item.nodeId(), item.nodeId() == input0 ? config.inputActivation : shared);
    }
    return out;
}

base::Status propagateTo(RuleRun& run, ir::Node* node, const QuantizationConfig& config)
{
    std::vector<ir::Node*> inputs = node->inputs();
    if (node->target() == kFlatten && refusedAsUseless(run, node))
        return {};
    if (node->target() != kCat) {
        GB_ASSIGN(ir::Node * input, firstInput(*node));
        inputs = {input};
    }
    GB_ASSIGN(const bool unconnected, refusedAsUnconnected(run, node, inputs));
    if (unconnected)
        return {};
    if (node->target() == kCat) {
        GB_ASSIGN(ir::Annotation labels, catLabels(*node, config));
        run.take({node}).replace(node, std::move(labels));
        return {};
    }
    ir::Node* input = inputs.front();
    if (node->target() == kMaxPool) {
        GB_ASSIGN(input, inputAt(*node, 0));
    }
    ir::Annotation labels = annotation(true);
    labels.setInput(input->id(), config.inputActivation);
    run.take({node}).replace(node, std::move(labels));
    return {};
}

} // namespace

base::Status annotatePropagation(const RuleCall& call)
{
    RuleRun run(call.context, ruleInfo("propagation_quantizable_pattern", texts(int8InInt8OutOps()), 1296),
                call.filter.setting);
    for (ir::Node* node : run.candidates()) {
        GB_ASSIGN(const bool skip, skipAnnotate(run, {node}, call.filter));
        if (skip)
            continue;
        if (call.config) {
            GB_TRY(propagateTo(run, node, *call.config));
        } else {
            Match match = run.take({node});
            annotateNotQuantize(match, {node});
        }
    }
    return {};
}

base::Status annotateInt8InInt8Out(RuleContext& context)
{
    RuleRun run(context, ruleInfo("output_for_int8_in_int8_out_pattern", texts(int8InInt8OutOps()), 1388), "all nodes");
    for (ir::Node* node : run.candidates()) {
        if (!node->isAnnotated())
            continue;
        const bool isMaxPool = node->target() == kMaxPool;
        ir::Node* input = nullptr;
        if (!isMaxPool) {
            GB_ASSIGN(input, firstInput(*node));
        }
        const std::optional<bool> isOutput = isOutputOfQuantizedPattern(*node->annotation());
        if (!isOutput)
            return Error{ErrorCode::AttributeError,
                         "its annotation is another quantizer's and has no _is_output_of_quantized_pattern",
                         "node " + node->name()};
        if (!*isOutput)
            continue;
        if (isMaxPool) {
            GB_ASSIGN(input, inputAt(*node, 0));
        }
        run.take({node}).setOutput(node, ir::makeSpec(ir::SharedQuantizationSpec{{input->id(), node->id()}}));
    }
    return {};
}

} // namespace gb::quantizers::inductor
