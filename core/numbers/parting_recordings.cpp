// Two recordings held against each other (parting.h).
#include "numbers/history.h"
#include "numbers/parting.h"
#include "numbers/qparams_rows.h"

#include <algorithm>

namespace gb::numbers {
namespace {

using base::message;

/// The first batch in which two observers saw other values, or came to other ranges; -1 where they did not.
std::int64_t firstOtherBatch(const History& a, const History& b)
{
    const auto differ = [](const std::optional<Extremes>& x, const std::optional<Extremes>& y) {
        return x.has_value() != y.has_value() || (x && (x->min != y->min || x->max != y->max));
    };
    for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
        const HistoryStep& x = a.steps[i];
        const HistoryStep& y = b.steps[i];
        if (x.seen && y.seen ? differ(x.seen, y.seen) : differ(x.range, y.range))
            return static_cast<std::int64_t>(i);
    }
    return a.steps.size() == b.steps.size() ? -1 : static_cast<std::int64_t>(std::min(a.steps.size(), b.steps.size()));
}

const History* historyOf(const std::vector<History>& histories, std::int64_t instance)
{
    const auto found = std::ranges::find(histories, instance, &History::instance);
    return found == histories.end() ? nullptr : &*found;
}

struct Compared {
    const QParamsRow* first = nullptr;
    const QParamsRow* second = nullptr;
    std::int64_t batch = -1;
    [[nodiscard]] bool differ() const
    {
        return !first || !second || batch >= 0 || first->type != second->type || first->dtype != second->dtype
               || first->qscheme != second->qscheme || first->scale != second->scale
               || first->zeroPoint != second->zeroPoint;
    }
};

SheetRow rowOf(const Compared& c)
{
    const QParamsRow& any = c.first ? *c.first : *c.second;
    const auto text = [](const QParamsRow* row, std::string QParamsRow::*part) {
        return row ? Cell(row->*part) : Cell();
    };
    return {{any.label, any.observes, text(c.first, &QParamsRow::type), text(c.second, &QParamsRow::type),
             text(c.first, &QParamsRow::scale), text(c.second, &QParamsRow::scale),
             text(c.first, &QParamsRow::zeroPoint), text(c.second, &QParamsRow::zeroPoint),
             c.batch >= 0 ? Cell(c.batch) : Cell(), c.differ()},
            c.first ? c.first->node : ir::kNoNode};
}

} // namespace

base::Result<Sheet> recordingsSheet(const trace::RecordingPtr& first, const trace::RecordingPtr& second)
{
    GB_ASSIGN(const std::vector<QParamsRow> a, qparamsRows(first));
    GB_ASSIGN(const std::vector<QParamsRow> b, qparamsRows(second));
    const std::vector<History> seenByFirst = historiesOf(*first);
    const std::vector<History> seenBySecond = historiesOf(*second);
    std::vector<Compared> rows;
    std::vector<bool> taken(b.size());
    for (const QParamsRow& row : a) {
        Compared compared{&row, nullptr, -1};
        for (std::size_t i = 0; i < b.size() && !compared.second; ++i)
            if (!taken[i] && b[i].graph == row.graph && b[i].label == row.label) {
                taken[i] = true;
                compared.second = &b[i];
            }
        const History* mine = historyOf(seenByFirst, row.instance);
        const History* theirs = compared.second ? historyOf(seenBySecond, compared.second->instance) : nullptr;
        if (mine && theirs)
            compared.batch = firstOtherBatch(*mine, *theirs);
        rows.push_back(compared);
    }
    for (std::size_t i = 0; i < b.size(); ++i)
        if (!taken[i])
            rows.push_back({nullptr, &b[i], -1});
    Sheet sheet;
    sheet.what = "parting";
    sheet.columns = {{"label", message("label")},
                     {"observes", message("observes")},
                     {"first_type", message("observer, first")},
                     {"second_type", message("second")},
                     {"first_scale", message("scale, first")},
                     {"second_scale", message("second")},
                     {"first_zero_point", message("zero point, first")},
                     {"second_zero_point", message("second")},
                     {"batch", message("other values from step")},
                     {"differ", message("differ")}};
    for (const Compared& row : rows)
        sheet.rows.push_back(rowOf(row));
    const auto differs = std::ranges::find_if(rows, &Compared::differ);
    if (differs == rows.end())
        sheet.notes.push_back(message("no observer differs: the runs do not part"));
    else
        sheet.notes.push_back(message("the first observer at which the runs part: that of {0}",
                                      differs->first ? differs->first->observes : differs->second->observes));
    const auto values = std::ranges::find_if(rows, [](const Compared& row) { return row.batch >= 0; });
    if (values != rows.end())
        sheet.notes.push_back(message("the first that saw other values: that of {0}, from step {1} on",
                                      values->first->observes, values->batch));
    return sheet;
}

} // namespace gb::numbers
