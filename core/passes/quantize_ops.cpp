#include "passes/quantize_ops.h"

namespace gb::passes {

bool isQuantize(const ir::Node& node)
{
    return node.calls(kQuantizePerTensor) || node.calls(kQuantizePerTensorTensor) || node.calls(kQuantizePerChannel);
}

bool isDequantize(const ir::Node& node)
{
    return node.calls(kDequantizePerTensor) || node.calls(kDequantizePerTensorTensor)
           || node.calls(kDequantizePerChannel);
}

bool isChooseQParams(const ir::Node& node)
{
    return node.calls(kChooseQParams) || node.calls(kChooseQParamsSymmetric);
}

std::vector<ir::Node*> usersWithoutSymSize(const ir::Node& node)
{
    std::vector<ir::Node*> out;
    for (ir::Node* user : node.users())
        if (!user->calls("aten.sym_size.default") && !user->calls("aten.sym_numel.default"))
            out.push_back(user);
    return out;
}

bool hasValidAnnotation(const ir::Node& node)
{
    return node.annotation() && (!node.annotation()->inputs.empty() || node.annotation()->output);
}

} // namespace gb::passes
