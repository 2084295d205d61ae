// What the inductor quantizers' rules have in common: list filters, annotations with their extra field, skip tests.
//
// Source: x86_inductor_quantizer.py (_skip_annotate, the filter functions, _X86InductorQuantizationAnnotation).
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/inductor/settings.h"
#include "quantizers/report.h"

#include <functional>

namespace gb::quantizers::inductor {

/// A test on the nodes of a pattern. Error: NotImplementedError where several nodes of it are of the filter's ops.
struct ListFilter {
    std::function<base::Result<bool>(const Chain&)> accepts;
    std::string setting; ///< "global", "module_name net.conv1", "operator_type aten.linear.default"
    std::string wanted;  ///< "all nodes in module net.conv1"
};
/// Every node lies in the module.
ListFilter moduleNameListFilter(const std::string& name);
/// Exactly one node has the target.
ListFilter operatorTypeFilter(const std::string& target);
/// Exactly one node is a default quantizable op.
ListFilter globalConfigFilter(const Backend& backend);

/// One pass of the rules: a setting's config and filter.
struct RuleCall {
    RuleContext& context;
    const OptionalConfig& config;
    const ListFilter& filter;
};
RuleInfo ruleInfo(const char* name, std::vector<std::string> targets, int line);

/// _X86InductorQuantizationAnnotation(_annotated=True, _is_output_of_quantized_pattern=isOutput)
ir::Annotation annotation(bool isOutput);
/// The extra field; nothing where another class of annotation stands there.
std::optional<bool> isOutputOfQuantizedPattern(const ir::Annotation& annotation);
/// _is_quantized_op_pt2e. Error: AssertionError on an annotation of another quantizer.
base::Result<bool> isQuantizedOp(const ir::Node& node);

/// _skip_annotate: a node of the pattern is marked (R5) or the filter does not accept it (R4); says which.
base::Result<bool> skipAnnotate(RuleRun& run, const Chain& nodes, const ListFilter& filter);
/// _annotate_nodes_not_quantize
void annotateNotQuantize(Match& match, const Chain& nodes);
/// Labels of a conv's or linear's inputs. Errors: IndexError, AssertionError.
base::Result<ir::Annotation> weightedLabels(const ir::Node& op, const QuantizationConfig& config, bool isOutput);

} // namespace gb::quantizers::inductor
