#include "quantizers/quantization_config.h"

#include "base/message.h"

namespace gb::quantizers {

using base::Error;
using base::ErrorCode;
using base::say;

bool QuantizationConfig::isDynamic() const
{
    const auto* spec = ir::as<ir::QuantizationSpec>(inputActivation);
    return spec && spec->isDynamic;
}

base::Status checkSpec(const ir::QuantizationSpec& spec)
{
    if (spec.quantMin && spec.quantMax && *spec.quantMin > *spec.quantMax)
        return Error{ErrorCode::ValueError,
                     say("quant_min is {0}, at most quant_max ({1}) expected", *spec.quantMin, *spec.quantMax),
                     {}};
    if (spec.chAxis && *spec.chAxis < 0)
        return Error{ErrorCode::ValueError, say("ch_axis is {0}, 0 or more expected", *spec.chAxis), {}};
    return {};
}

} // namespace gb::quantizers
