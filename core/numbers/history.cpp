#include "numbers/history.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gb::numbers {
namespace {

using base::message;
using trace::EventKind;

std::optional<Extremes> rangeOf(const quant::ObserverState& state)
{
    if (!state.minVal || !state.maxVal || state.minVal->elementCount() == 0 || state.maxVal->elementCount() == 0)
        return std::nullopt;
    const double least = std::ranges::min(state.minVal->toDoubles());
    const double most = std::ranges::max(state.maxVal->toDoubles());
    if (!std::isfinite(least) || !std::isfinite(most))
        return std::nullopt;
    return Extremes{least, most};
}

std::optional<Extremes> seenOf(const trace::Event& e)
{
    const ir::Argument* min = e.field("low");
    const ir::Argument* max = e.field("high");
    const double* least = min ? min->as<double>() : nullptr;
    const double* most = max ? max->as<double>() : nullptr;
    return least && most ? std::optional(Extremes{*least, *most}) : std::nullopt;
}

bool averages(const History& history)
{
    return history.info && history.info->settings.averagingConstant.has_value();
}

void compare(const History& history, const HistoryStep* before, HistoryStep& step)
{
    if (!step.range)
        return;
    if (!before || !before->range) {
        step.widenedMin = step.widenedMax = true;
        return;
    }
    if (averages(history))
        return;
    step.widenedMin = step.range->min < before->range->min;
    step.widenedMax = step.range->max > before->range->max;
    const double old = before->range->max - before->range->min;
    if (step.record->state.histogram && (step.widenedMin || step.widenedMax) && old > 0)
        step.rebinned = (step.range->max - step.range->min) / old;
}

class Collector {
public:
    explicit Collector(const trace::Recording& recording)
        : m_recording(recording)
    {
    }

    std::vector<History> collect()
    {
        for (std::size_t i = 0; i < m_recording.events.size(); ++i) {
            const trace::Event& e = m_recording.events[i];
            for (const trace::Edit& edit : e.edits)
                note(edit);
            if (e.kind == EventKind::Observe && e.record && !e.nodes.empty())
                add(e, static_cast<int>(i));
        }
        for (History& history : m_out)
            for (std::size_t s = 0; s < history.steps.size(); ++s)
                compare(history, s ? &history.steps[s - 1] : nullptr, history.steps[s]);
        return std::move(m_out);
    }

private:
    void note(const trace::Edit& edit)
    {
        if (const auto* module = std::get_if<trace::ModuleChanged>(&edit); module && module->info)
            m_infos[{module->graph, module->target}] = module->info;
        if (const auto* added = std::get_if<trace::NodeAdded>(&edit))
            m_names[added->row.id] = added->row.name;
        if (const auto* renamed = std::get_if<trace::NameChanged>(&edit))
            m_names[renamed->id] = renamed->name;
    }

    /// -1 outside of a batch.
    [[nodiscard]] std::int64_t batchOf(const trace::Event& e) const
    {
        for (int at = e.parent; at >= 0; at = m_recording.events[static_cast<std::size_t>(at)].parent) {
            const trace::Event& scope = m_recording.events[static_cast<std::size_t>(at)];
            const ir::Argument* index = scope.kind == EventKind::Batch ? scope.field("index") : nullptr;
            if (const auto* number = index ? index->as<std::int64_t>() : nullptr)
                return *number;
        }
        return -1;
    }

    void add(const trace::Event& e, int index)
    {
        const auto info = m_infos.find({e.record->graph, e.record->target});
        if (info == m_infos.end())
            return;
        const std::int64_t instance = info->second->instance;
        auto history = std::ranges::find(m_out, instance, &History::instance);
        if (history == m_out.end()) {
            m_out.push_back({instance, e.graph, m_names[e.nodes[0]], e.nodes[0], info->second, {}});
            history = m_out.end() - 1;
        }
        HistoryStep step;
        step.batch = batchOf(e);
        step.event = index;
        step.record = e.record;
        step.range = rangeOf(e.record->state);
        step.seen = seenOf(e);
        // the same batch through another node of a shared observer, or again in a loop: one step a batch
        const int scope = e.parent;
        if (!history->steps.empty() && m_scopes[instance] == scope) {
            HistoryStep& last = history->steps.back();
            if (step.seen && last.seen)
                step.seen =
                    Extremes{std::min(step.seen->min, last.seen->min), std::max(step.seen->max, last.seen->max)};
            last = std::move(step);
        } else {
            history->steps.push_back(std::move(step));
        }
        m_scopes[instance] = scope;
    }

    const trace::Recording& m_recording;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const trace::ObserverInfo>> m_infos;
    std::map<ir::NodeId, std::string> m_names;
    std::map<std::int64_t, int> m_scopes; ///< the batch event of an observer's newest step
    std::vector<History> m_out;
};

bool changesMuch(const std::optional<Extremes>& before, const std::optional<Extremes>& after)
{
    constexpr double kShare = 0.01;
    if (!before || !after)
        return before.has_value() != after.has_value();
    const double width = std::max(before->max - before->min, 1e-300);
    return std::max(std::fabs(after->min - before->min), std::fabs(after->max - before->max)) > kShare * width;
}

Cell cellOf(const std::optional<Extremes>& range, bool max)
{
    return range ? Cell(max ? range->max : range->min) : Cell();
}

} // namespace

int History::lastChange() const
{
    for (std::size_t s = steps.size(); s-- > 0;)
        if (s == 0 ? steps[0].range.has_value() : changesMuch(steps[s - 1].range, steps[s].range))
            return static_cast<int>(s);
    return -1;
}

bool History::converged() const
{
    if (steps.size() < 4)
        return false;
    const std::size_t quiet = std::max<std::size_t>(2, steps.size() / 4);
    return lastChange() >= 0 && static_cast<std::size_t>(lastChange()) < steps.size() - quiet;
}

std::vector<History> historiesOf(const trace::Recording& recording)
{
    return Collector(recording).collect();
}

std::vector<base::Message> averagingSentences(const History& history, std::size_t step)
{
    if (!averages(history) || step == 0 || step >= history.steps.size())
        return {};
    const HistoryStep& before = history.steps[step - 1];
    const HistoryStep& now = history.steps[step];
    if (!before.range || !now.range || !now.seen || now.record->state.minVal->elementCount() != 1)
        return {};
    const double c = *history.info->settings.averagingConstant;
    const auto sentence = [c](const char* pattern, double old, double seen, double result) {
        return message(pattern, old, c, seen, result);
    };
    return {sentence("min = {0} + {1} ({2} - {0}) = {3}", before.range->min, now.seen->min, now.range->min),
            sentence("max = {0} + {1} ({2} - {0}) = {3}", before.range->max, now.seen->max, now.range->max)};
}

Sheet historySheet(const std::vector<History>& histories)
{
    Sheet sheet;
    sheet.what = "batches";
    sheet.columns = {{"observer", message("observer")},
                     {"step", message("step")},
                     {"batch", message("batch")},
                     {"batch_min", message("batch min")},
                     {"batch_max", message("batch max")},
                     {"min", message("min")},
                     {"max", message("max")},
                     {"widened_min", message("widened min")},
                     {"widened_max", message("widened max")},
                     {"rebinned", message("bins wider by")},
                     {"converged", message("converged")}};
    for (const History& history : histories)
        for (std::size_t s = 0; s < history.steps.size(); ++s) {
            const HistoryStep& step = history.steps[s];
            sheet.rows.push_back(
                {{history.name, static_cast<std::int64_t>(s), step.batch, cellOf(step.seen, false),
                  cellOf(step.seen, true), cellOf(step.range, false), cellOf(step.range, true), step.widenedMin,
                  step.widenedMax, step.rebinned ? Cell(*step.rebinned) : Cell(), history.converged()},
                 history.node,
                 history.instance});
        }
    for (const History& history : histories)
        if (!history.converged() && history.lastChange() >= 0 && history.steps.size() >= 4)
            sheet.notes.push_back(
                message("{0} has not settled: step {1} of {2} still changed its range by more than 1 %", history.name,
                        history.lastChange() + 1, history.steps.size()));
    return sheet;
}

} // namespace gb::numbers
