#include "quantizers/inductor/rule_call.h"

#include <algorithm>

namespace gb::quantizers::inductor {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;

namespace {

constexpr const char* kIsOutput = "_is_output_of_quantized_pattern";

base::Result<bool> exactlyOne(const Chain& nodes, const std::function<bool(const ir::Node*)>& test,
                              const std::string& what)
{
    const auto count = std::ranges::count_if(nodes, test);
    if (count > 1)
        return Error{ErrorCode::NotImplementedError,
                     say("{0} nodes of one pattern ({1}) are {2}, at most one expected", count, nameList(nodes), what),
                     "node " + nodes.front()->name()};
    return count == 1;
}

} // namespace

ListFilter moduleNameListFilter(const std::string& name)
{
    const Filter filter = moduleNameFilter(name);
    return {[filter](const Chain& nodes) -> base::Result<bool> {
                return std::ranges::all_of(nodes, [&](const ir::Node* node) { return filter(*node); });
            },
            filter.setting, "all nodes in module " + name};
}

ListFilter operatorTypeFilter(const std::string& target)
{
    return {[target](const Chain& nodes) {
                return exactlyOne(
                    nodes, [&](const ir::Node* node) { return node->target() == target; }, target);
            },
            "operator_type " + target, "one node that is " + target};
}

ListFilter globalConfigFilter(const Backend& backend)
{
    return {[&backend](const Chain& nodes) {
                return exactlyOne(
                    nodes, [&](const ir::Node* node) { return contains(backend.defaultOps, node->target()); },
                    "default quantizable ops");
            },
            "global", "one node that is a default quantizable op"};
}

RuleInfo ruleInfo(const char* name, std::vector<std::string> targets, int line)
{
    return {name, std::move(targets), {"x86_inductor_quantizer.py", line}};
}

ir::Annotation annotation(bool isOutput)
{
    ir::Annotation out;
    out.annotated = true;
    out.extra = {{kIsOutput, ir::Argument(isOutput)}};
    return out;
}

std::optional<bool> isOutputOfQuantizedPattern(const ir::Annotation& annotation)
{
    for (const auto& [field, value] : annotation.extra)
        if (field == kIsOutput)
            if (const bool* flag = value.as<bool>())
                return *flag;
    return std::nullopt;
}

base::Result<bool> isQuantizedOp(const ir::Node& node)
{
    if (!node.isAnnotated())
        return false;
    if (const auto isOutput = isOutputOfQuantizedPattern(*node.annotation()))
        return *isOutput;
    return Error{ErrorCode::AssertionError, "its annotation is another quantizer's, one of this quantizer expected",
                 "node " + node.name()};
}

base::Result<bool> skipAnnotate(RuleRun& run, const Chain& nodes, const ListFilter& filter)
{
    if (run.refusedAsMarked(nodes, nodes))
        return true;
    GB_ASSIGN(const bool accepted, filter.accepts(nodes));
    if (accepted)
        return false;
    const std::string found = say("{0}: {1}", nodes.back()->name(), describeModule(*nodes.back()));
    run.refuse(nodes, {"filter", "R4", found, filter.wanted,
                       message("{0} leaves {1} alone: the setting {2} wants {3}, found {4}", run.info().name,
                               nameList(nodes), filter.setting, filter.wanted, found)});
    return true;
}

void annotateNotQuantize(Match& match, const Chain& nodes)
{
    for (ir::Node* node : nodes)
        match.replace(node, annotation(false));
}

base::Result<ir::Annotation> weightedLabels(const ir::Node& op, const QuantizationConfig& config, bool isOutput)
{
    ir::Annotation out = annotation(isOutput);
    GB_ASSIGN(const ir::Node* input, inputAt(op, 0));
    out.setInput(input->id(), config.inputActivation);
    GB_ASSIGN(const ir::Node* weight, inputAt(op, 1));
    out.setInput(weight->id(), config.weight);
    if (const ir::Node* bias = op.graph().find(op.arg(2).nodeId()))
        out.setInput(bias->id(), config.bias);
    return out;
}

} // namespace gb::quantizers::inductor
