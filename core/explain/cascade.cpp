#include "explain/cascade.h"

#include <algorithm>
#include <array>

namespace gb::explain {
namespace {

using State = CascadeEntry::State;
using trace::Event;
using trace::EventKind;

State stateOf(const Event& e)
{
    if (e.kind == EventKind::Annotate)
        return State::Wins;
    const std::string code = e.text("code");
    return code == "R5" ? State::Overridden : code == "R4" ? State::Excluded : State::Refused;
}

CascadeEntry& entryFor(std::vector<CascadeEntry>& list, const Event& rule)
{
    const std::string setting = rule.text("setting");
    const std::string place = rule.text("place");
    const auto found = std::ranges::find_if(
        list, [&](const CascadeEntry& entry) { return entry.setting == setting && entry.place == place; });
    if (found != list.end())
        return *found;
    list.push_back({setting, place, State::Excluded, {}, -1});
    return list.back();
}

} // namespace

const char* name(State state)
{
    static constexpr std::array kNames = {"wins", "overridden", "refused", "excluded"};
    return kNames[static_cast<std::size_t>(state)];
}

std::vector<CascadeEntry> settingsCascade(const trace::Recording& recording, ir::NodeId node)
{
    std::vector<CascadeEntry> out;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const Event& rule = recording.events[i];
        if (rule.kind != EventKind::Rule)
            continue;
        for (std::size_t k = i + 1; k <= static_cast<std::size_t>(std::max(rule.last, 0)); ++k) {
            const Event& e = recording.events[k];
            if ((e.kind != EventKind::Attempt && e.kind != EventKind::Annotate)
                || std::ranges::find(e.nodes, node) == e.nodes.end())
                continue;
            CascadeEntry& entry = entryFor(out, rule);
            const State state = stateOf(e);
            if (entry.event >= 0 && state > entry.state)
                continue; // the strongest thing that it did counts
            entry.state = state;
            entry.because = e.sentence.text();
            entry.event = static_cast<int>(k);
        }
    }
    // one label is left: that of the last writer
    const auto last = std::ranges::max_element(
        out, {}, [](const CascadeEntry& entry) { return entry.state == State::Wins ? entry.event : -1; });
    for (auto entry = out.begin(); entry != out.end(); ++entry)
        if (entry != last && entry->state == State::Wins)
            entry->state = State::Overridden;
    return out;
}

} // namespace gb::explain
