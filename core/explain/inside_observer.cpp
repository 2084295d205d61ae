// The inside of an observer's update and of its scale and zero point.
#include "explain/chosen_range.h"
#include "explain/inside.h"

#include <algorithm>
#include <cmath>

namespace gb::explain {
namespace {

using base::message;
using quant::ObserverState;
using trace::ObserverInfo;

std::optional<double> numberOf(const trace::Event& event, std::string_view field)
{
    const ir::Argument* value = event.field(field);
    const auto* number = value ? value->as<double>() : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

/// One of the two ends, by channel; empty before the first batch.
std::vector<double> endOf(const ObserverState* state, bool max)
{
    const auto& tensor = !state ? std::optional<ir::Tensor>() : max ? state->maxVal : state->minVal;
    std::vector<double> out = tensor ? tensor->toDoubles() : std::vector<double>();
    if (std::ranges::any_of(out, [](double v) { return std::isinf(v); }))
        out.clear(); // what some classes begin with
    return out;
}

/// min or max of one channel, before and after.
base::Message endSentence(const char* end, double before, double after, std::optional<double> seen,
                          const ObserverInfo& info)
{
    if (info.settings.averagingConstant && seen)
        return message("{0} = {1} + {2} x ({3} - {1}) = {4}", end, before, *info.settings.averagingConstant, *seen,
                       after);
    return before == after ? message("{0} stays {1}", end, after)
                           : message("{0} moves from {1} to {2}", end, before, after);
}

void addChannels(const ObserverState* before, const ObserverState& after, std::vector<InnerStep>& out)
{
    const std::vector<double> oldMin = endOf(before, false);
    const std::vector<double> oldMax = endOf(before, true);
    const std::vector<double> newMin = endOf(&after, false);
    const std::vector<double> newMax = endOf(&after, true);
    std::size_t unchanged = 0;
    for (std::size_t c = 0; c < newMin.size() && c < newMax.size(); ++c) {
        if (oldMin.size() != newMin.size() || oldMax.size() != newMax.size())
            out.push_back({message("channel {0}: {1} to {2}", c, newMin[c], newMax[c])});
        else if (oldMin[c] != newMin[c] || oldMax[c] != newMax[c])
            out.push_back(
                {message("channel {0}: {1} to {2} becomes {3} to {4}", c, oldMin[c], oldMax[c], newMin[c], newMax[c])});
        else
            ++unchanged;
    }
    if (unchanged > 0)
        out.push_back({message("{0} channels keep their range", unchanged)});
}

double countOf(const ObserverState& state)
{
    double sum = 0;
    for (const double count : state.histogram->toDoubles())
        sum += count;
    return sum;
}

void addHistogram(const ObserverState* before, const ObserverState& after, std::vector<InnerStep>& out)
{
    const std::vector<double> low = endOf(&after, false);
    const std::vector<double> high = endOf(&after, true);
    if (!after.histogram || low.size() != 1 || high.size() != 1)
        return;
    const auto bins = static_cast<double>(after.histogram->elementCount());
    const double width = (high[0] - low[0]) / bins;
    const std::vector<double> oldLow = endOf(before, false);
    const std::vector<double> oldHigh = endOf(before, true);
    if (oldLow.size() != 1 || oldHigh.size() != 1) {
        out.push_back({message("the histogram begins: {0} bins from {1} to {2}, each {3} wide",
                               after.histogram->elementCount(), low[0], high[0], width)});
        return;
    }
    const double oldWidth = (oldHigh[0] - oldLow[0]) / bins;
    if (width != oldWidth)
        out.push_back({message("the counts move into wider bins: {0} wide before, {1} now", oldWidth, width)});
    if (before->histogram)
        out.push_back({message("the counts grow from {0} to {1}", countOf(*before), countOf(after))});
}

void addSearch(const ChosenRange::Search& search, std::vector<InnerStep>& out)
{
    const auto low = static_cast<float>(search.seenMin);
    const float width = (static_cast<float>(search.seenMax) - low) / static_cast<float>(search.bins);
    out.push_back({message("the search begins with all {0} bins, {1} to {2}: norm {3}", search.bins, search.seenMin,
                           search.seenMax, search.norm)});
    std::int64_t start = 0;
    std::int64_t end = search.bins - 1;
    for (std::size_t i = 0; i < search.moves.size(); ++i) {
        const quant::SearchMove& move = search.moves[i];
        const bool isStart = move.startBin != start;
        const float edge = low + width * static_cast<float>(isStart ? move.startBin : move.endBin + 1);
        const char* pattern = isStart ? (move.kept ? "move {0}: start bin {1} to {2} (from {3} on), norm {4}: kept"
                                                   : "move {0}: start bin {1} to {2} (from {3} on), norm {4}: the norm "
                                                     "rises, the search ends")
                                      : (move.kept ? "move {0}: end bin {1} to {2} (up to {3}), norm {4}: kept"
                                                   : "move {0}: end bin {1} to {2} (up to {3}), norm {4}: the norm "
                                                     "rises, the search ends");
        out.push_back(
            {message(pattern, i + 1, isStart ? start : end, isStart ? move.startBin : move.endBin, edge, move.norm),
             {},
             move});
        if (move.kept) {
            start = move.startBin;
            end = move.endBin;
        }
    }
    const quant::SearchResult& result = search.result;
    out.push_back(
        {message("chosen: bins {0} to {1}, {2} to {3}", result.startBin, result.endBin, result.min, result.max)});
}

/// One range to one scale and zero point (qparams_c1..c7), in words.
void addFormula(const ObserverState& state, const ObserverInfo& info, double min, double max,
                std::vector<InnerStep>& out)
{
    const auto& s = info.settings;
    const double scale = state.qparams->scale.at(0);
    const auto zero = static_cast<std::int64_t>(state.qparams->zeroPoint.at(0));
    if (!s.quantMin || !s.quantMax || !s.qscheme) {
        out.push_back({message("scale {0}, zero point {1}", scale, zero)});
        return;
    }
    if (min > 0.0 || max < 0.0)
        out.push_back({message("0 has to be in the range: {0} to {1} becomes {2} to {3}", min, max, std::min(min, 0.0),
                               std::max(max, 0.0))});
    min = std::min(min, 0.0);
    max = std::max(max, 0.0);
    const auto levels = static_cast<double>(*s.quantMax - *s.quantMin);
    const bool symmetric = ir::isSymmetric(*s.qscheme);
    const double reach = std::max(-min, max);
    const double plain = symmetric ? reach / (levels / 2) : (max - min) / levels;
    out.push_back(
        {symmetric ? message("scale = {0} / (({1} - {2}) / 2) = {3}", reach, *s.quantMax, *s.quantMin, plain)
                   : message("scale = ({0} - {1}) / ({2} - {3}) = {4}", max, min, *s.quantMax, *s.quantMin, plain)});
    if (s.eps && plain < *s.eps)
        out.push_back({message("that is below eps: the scale is {0}", *s.eps)});
    if (symmetric)
        out.push_back({message("symmetric: the zero point is {0}", zero)});
    else
        out.push_back({message("zero point = {0} - round({1} / {2}) = {3}", *s.quantMin, min, scale, zero)});
}

} // namespace

std::vector<InnerStep> insideOfUpdate(const trace::Event& event, const ObserverState* before, const ObserverInfo& info)
{
    const ObserverState& after = event.record->state;
    std::vector<InnerStep> out;
    const auto low = numberOf(event, "low");
    const auto high = numberOf(event, "high");
    if (low && high)
        out.push_back({message("it is given values from {0} to {1}", *low, *high), event.nodes});
    const ir::Argument* odd = event.field("nonfinite");
    if (const auto* count = odd ? odd->as<std::int64_t>() : nullptr)
        out.push_back({message("{0} of the values are NaN or infinite", *count), event.nodes});
    const std::vector<double> min = endOf(&after, false);
    const std::vector<double> max = endOf(&after, true);
    if (min.size() > 1)
        addChannels(before, after, out);
    else if (min.size() == 1 && max.size() == 1) {
        const std::vector<double> oldMin = endOf(before, false);
        const std::vector<double> oldMax = endOf(before, true);
        if (oldMin.size() != 1 || oldMax.size() != 1) {
            out.push_back({message("the range begins: {0} to {1}", min[0], max[0])});
        } else {
            out.push_back({endSentence("min", oldMin[0], min[0], low, info)});
            out.push_back({endSentence("max", oldMax[0], max[0], high, info)});
        }
    }
    addHistogram(before, after, out);
    return out;
}

std::vector<InnerStep> insideOfQParams(const ObserverState& state, const ObserverInfo& info)
{
    std::vector<InnerStep> out;
    if (!state.qparams)
        return out;
    const std::vector<double> min = endOf(&state, false);
    const std::vector<double> max = endOf(&state, true);
    const std::vector<double> scales = state.qparams->scale.toDoubles();
    const std::vector<double> zeros = state.qparams->zeroPoint.toDoubles();
    if (scales.size() > 1) {
        for (std::size_t c = 0; c < scales.size() && c < zeros.size() && c < min.size() && c < max.size(); ++c)
            out.push_back({message("channel {0}: {1} to {2}, scale {3}, zero point {4}", c, min[c], max[c], scales[c],
                                   zeros[c])});
        return out;
    }
    if (min.size() != 1 || max.size() != 1 || scales.size() != 1) {
        if (state.batches == 0)
            out.push_back({message("it has seen nothing: scale 1 and zero point 0 are what it begins with")});
        return out;
    }
    const auto chosen = chosenRange(state, info.settings);
    if (!chosen)
        return out;
    if (chosen->search)
        addSearch(*chosen->search, out);
    addFormula(state, info, chosen->min, chosen->max, out);
    return out;
}

} // namespace gb::explain
