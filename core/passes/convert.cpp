#include "passes/convert.h"

#include "passes/constant_fold.h"
#include "passes/convert_observers.h"
#include "passes/duplicate_dequantize.h"
#include "passes/fold_conv_bn_qat.h"
#include "passes/port_metadata.h"
#include "passes/prepare.h"

namespace gb::passes {

base::Status convert(ir::GraphModule& model, bool foldQuantize, PassContext& context, const ScopeTable& scopes)
{
    GB_ASSIGN(const auto bodies, enteredSubgraphs(model));
    for (const auto& body : bodies)
        GB_TRY(convert(*body, foldQuantize, context, scopes));
    const auto found = scopes.find(model.graph().path());
    GB_TRY(
        convertObservers(model, found == scopes.end() ? std::map<std::string, std::string>() : found->second, context));
    GB_TRY(foldConvBnQat(model, context));
    GB_TRY(duplicateDequantize(model, context));
    GB_TRY(portMetadata(model, context));
    return foldQuantize ? constantFold(model, context) : base::Status();
}

} // namespace gb::passes
