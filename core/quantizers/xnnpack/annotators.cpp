#include "quantizers/xnnpack/annotators.h"

namespace gb::quantizers::xnnpack {

const std::vector<Annotator>& staticQatOnlyOps()
{
    static const std::vector<Annotator> kOps = {annotateConvBnRelu, annotateConvBn, annotateConvTransposeBnRelu,
                                                annotateConvTransposeBn};
    return kOps;
}

const std::vector<Annotator>& staticOps()
{
    static const std::vector<Annotator> kOps = {annotateLinearRelu,
                                                annotateLinear,
                                                annotateConvRelu,
                                                annotateConv,
                                                annotateConvTransposeRelu,
                                                annotateAdaptiveAvgPool2d,
                                                annotateGruIoOnly,
                                                annotateAddRelu,
                                                annotateAdd,
                                                annotateMulRelu,
                                                annotateMul,
                                                annotateCat};
    return kOps;
}

const std::vector<Annotator>& dynamicOps()
{
    static const std::vector<Annotator> kOps = {annotateLinear};
    return kOps;
}

RuleInfo ruleInfo(const char* name, std::vector<std::string> targets, int line)
{
    return {name, std::move(targets), {"_xnnpack_quantizer_utils.py", line}};
}

} // namespace gb::quantizers::xnnpack
