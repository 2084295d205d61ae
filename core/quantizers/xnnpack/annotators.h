// The rules of XNNPACKQuantizer, one function each, by torchao's names.
//
// Source: torchao/testing/pt2e/_xnnpack_quantizer_utils.py. Each function follows the one of the same name there, in
// what it writes and in what it raises; the line is in the rule events.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/filter.h"
#include "quantizers/quantization_config.h"
#include "quantizers/report.h"

namespace gb::quantizers::xnnpack {

/// What an annotator gets: the graph and where to report, the specs, and which nodes the setting reaches.
struct AnnotatorCall {
    RuleContext& context;
    const QuantizationConfig& config;
    const Filter& filter;
};
using Annotator = base::Status (*)(const AnnotatorCall&);

base::Status annotateLinear(const AnnotatorCall& call);
base::Status annotateLinearRelu(const AnnotatorCall& call);
base::Status annotateConv(const AnnotatorCall& call);
base::Status annotateConvRelu(const AnnotatorCall& call);
base::Status annotateConvTransposeRelu(const AnnotatorCall& call);
base::Status annotateConvBn(const AnnotatorCall& call);
base::Status annotateConvBnRelu(const AnnotatorCall& call);
base::Status annotateConvTransposeBn(const AnnotatorCall& call);
base::Status annotateConvTransposeBnRelu(const AnnotatorCall& call);
base::Status annotateGruIoOnly(const AnnotatorCall& call);
base::Status annotateAdaptiveAvgPool2d(const AnnotatorCall& call);
base::Status annotateAddRelu(const AnnotatorCall& call);
base::Status annotateAdd(const AnnotatorCall& call);
base::Status annotateMulRelu(const AnnotatorCall& call);
base::Status annotateMul(const AnnotatorCall& call);
base::Status annotateCat(const AnnotatorCall& call);

/// OP_TO_ANNOTATOR in the order in which the quantizer runs them: fusions before single ops.
const std::vector<Annotator>& staticQatOnlyOps();
const std::vector<Annotator>& staticOps();
const std::vector<Annotator>& dynamicOps();

/// propagate_annotation: ops that keep values (view, max_pool2d, relu, ...) share with a labelled producer.
base::Status propagateAnnotation(RuleContext& context);

/// A rule of that source file.
RuleInfo ruleInfo(const char* name, std::vector<std::string> targets, int line);

} // namespace gb::quantizers::xnnpack
