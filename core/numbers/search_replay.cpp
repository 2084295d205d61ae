#include "numbers/search_replay.h"

#include <cmath>
#include <limits>

namespace gb::numbers {

using base::message;

namespace {

double binEdge(const SearchReplay& replay, std::int64_t bin)
{
    const float width = (replay.max - replay.min) / static_cast<float>(replay.bins); // as the search's own result
    return static_cast<double>(replay.min + width * static_cast<float>(bin));
}

} // namespace

double SearchReplay::lowOf(const quant::SearchMove& move) const
{
    return binEdge(*this, move.startBin);
}

double SearchReplay::highOf(const quant::SearchMove& move) const
{
    return binEdge(*this, move.endBin + 1);
}

std::optional<SearchReplay> replaySearch(const quant::ObserverSettings& settings, const quant::ObserverState& state)
{
    const auto& counts = state.histogram;
    if (!counts || counts->elementCount() == 0 || !state.minVal || state.minVal->elementCount() != 1 || !state.maxVal
        || state.maxVal->elementCount() != 1 || !settings.dtype || !ir::isInteger(*settings.dtype)
        || !std::isfinite(state.minVal->at(0)) || !std::isfinite(state.maxVal->at(0)))
        return std::nullopt;
    const ir::Tensor packed = counts->to(ir::DType::Float32).contiguous();
    SearchReplay out;
    out.bins = packed.elementCount();
    out.min = static_cast<float>(state.minVal->at(0));
    out.max = static_cast<float>(state.maxVal->at(0));
    const quant::HistogramView view{{packed.data<float>(), static_cast<std::size_t>(out.bins)},
                                    out.min,
                                    out.max,
                                    std::ldexp(1.0, static_cast<int>(8 * ir::itemSize(*settings.dtype)))};
    out.result = quant::searchRange(view, &out.moves);
    out.widest = quant::quantizationError(view, 0, out.bins - 1);
    if (out.moves.empty())
        out.stop = message("no move was tried: no end of the histogram could be cut off");
    else if (!out.moves.back().kept)
        out.stop = out.moves.size() == 1
                       ? message("the first move made the norm {0}; the search ends", out.moves.back().norm)
                       : message("move {0} made the norm rise from {1} to {2}: the search ends", out.moves.size(),
                                 out.moves[out.moves.size() - 2].norm, out.moves.back().norm);
    else
        out.stop = message("half of the counts were cut off on either side: nothing is left to try");
    return out;
}

Sheet searchSheet(const SearchReplay& replay)
{
    Sheet sheet;
    sheet.what = "search";
    sheet.columns = {{"move", message("move")},       {"start_bin", message("start bin")},
                     {"end_bin", message("end bin")}, {"low", message("from")},
                     {"high", message("to")},         {"alpha", message("alpha")},
                     {"beta", message("beta")},       {"norm", message("norm")},
                     {"kept", message("kept")}};
    for (std::size_t i = 0; i < replay.moves.size(); ++i) {
        const quant::SearchMove& move = replay.moves[i];
        sheet.rows.push_back({{static_cast<std::int64_t>(i + 1), move.startBin, move.endBin, replay.lowOf(move),
                               replay.highOf(move), move.alpha, move.beta, move.norm, move.kept}});
    }
    sheet.notes.push_back(replay.stop);
    sheet.notes.push_back(message("the whole histogram has the norm {0}; chosen: {1} to {2}", replay.widest,
                                  replay.result.min, replay.result.max));
    return sheet;
}

} // namespace gb::numbers
