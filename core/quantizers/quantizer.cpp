#include "quantizers/quantizer.h"

namespace gb::quantizers {

base::Status Quantizer::transformForAnnotation(ir::GraphModule& /*model*/, trace::Recorder& /*recorder*/)
{
    return {};
}

base::Status Quantizer::validate(ir::GraphModule& /*model*/, trace::Recorder& /*recorder*/)
{
    return {};
}

} // namespace gb::quantizers
