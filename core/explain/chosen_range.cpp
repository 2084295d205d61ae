#include "explain/chosen_range.h"

#include <cmath>

namespace gb::explain {

std::optional<ChosenRange> chosenRange(const quant::ObserverState& state, const quant::ObserverSettings& settings)
{
    if (!state.minVal || state.minVal->elementCount() != 1 || !state.maxVal || state.maxVal->elementCount() != 1)
        return std::nullopt;
    ChosenRange out{state.minVal->at(0), state.maxVal->at(0), {}};
    if (out.min > out.max)
        return std::nullopt; // +inf and -inf: what an observer begins with
    const bool searches = state.histogram && state.histogram->elementCount() > 0 && settings.dtype
                          && ir::isInteger(*settings.dtype) && std::isfinite(out.min) && std::isfinite(out.max);
    if (!searches)
        return out;
    const ir::Tensor packed = state.histogram->to(ir::DType::Float32).contiguous();
    ChosenRange::Search search;
    search.seenMin = out.min;
    search.seenMax = out.max;
    search.bins = packed.elementCount();
    const quant::HistogramView view{{packed.data<float>(), static_cast<std::size_t>(search.bins)},
                                    static_cast<float>(out.min),
                                    static_cast<float>(out.max),
                                    std::ldexp(1.0, static_cast<int>(8 * ir::itemSize(*settings.dtype)))};
    search.norm = quant::quantizationError(view, 0, search.bins - 1);
    search.result = quant::searchRange(view, &search.moves);
    out.min = static_cast<double>(search.result.min);
    out.max = static_cast<double>(search.result.max);
    out.search = std::move(search);
    return out;
}

} // namespace gb::explain
