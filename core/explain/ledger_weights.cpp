#include "explain/ledger_weights.h"

#include "base/message.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::say;

std::string describe(const trace::AttributeChanged& tensor, bool withShape)
{
    std::string out = withShape ? say("{0} {1} ", ir::name(tensor.dtype), ir::toText(tensor.shape)) : std::string();
    if (!tensor.value || tensor.value->elementCount() == 0)
        return out + (withShape ? "" : "unknown values");
    const std::vector<double> values = tensor.value->toDoubles();
    const auto [least, most] = std::ranges::minmax(values);
    return out + say("{0} to {1}", base::shortNumber(least), base::shortNumber(most));
}

} // namespace

std::vector<std::string> WeightBook::changes(const trace::Event& event) const
{
    std::vector<std::string> out;
    for (const trace::Edit& edit : event.edits) {
        const auto* set = std::get_if<trace::AttributeChanged>(&edit);
        if (!set || !set->present)
            continue;
        const auto before = m_now.find({set->graph, set->name});
        if (before == m_now.end()) {
            out.push_back(say("{0}: new, {1}", set->name, describe(*set, true)));
            continue;
        }
        const bool reshaped = before->second.shape != set->shape || before->second.dtype != set->dtype;
        out.push_back(say("{0}: {1} before, {2} after{3}", set->name, describe(before->second, reshaped),
                          describe(*set, reshaped), reshaped ? " (its shape changed)" : ""));
    }
    return out;
}

void WeightBook::apply(const trace::Event& event)
{
    for (const trace::Edit& edit : event.edits) {
        const auto* set = std::get_if<trace::AttributeChanged>(&edit);
        if (!set)
            continue;
        if (set->present)
            m_now[{set->graph, set->name}] = *set;
        else
            m_now.erase({set->graph, set->name});
    }
}

} // namespace gb::explain
