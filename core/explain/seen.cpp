#include "explain/seen.h"

#include <algorithm>

namespace gb::explain {

using trace::EventKind;

std::map<ir::NodeId, SeenRange> seenByObserver(const RunView& run)
{
    std::map<ir::NodeId, SeenRange> out;
    for (const trace::Event& e : run.recording->events) {
        if (e.kind != EventKind::Observe || e.nodes.empty())
            continue;
        const ir::Argument* low = e.field("low");
        const ir::Argument* high = e.field("high");
        const ir::Argument* nonFinite = e.field("nonfinite");
        const auto* least = low ? low->as<double>() : nullptr;
        const auto* most = high ? high->as<double>() : nullptr;
        const auto* count = nonFinite ? nonFinite->as<std::int64_t>() : nullptr;
        if ((!least || !most) && !count)
            continue;
        const SeenRange now{least ? *least : 0.0, most ? *most : 0.0, count ? *count : 0};
        const auto [known, isNew] = out.try_emplace(e.nodes.front(), now);
        if (isNew)
            continue;
        known->second.low = std::min(known->second.low, now.low);
        known->second.high = std::max(known->second.high, now.high);
        known->second.nonFinite += now.nonFinite;
    }
    return out;
}

std::map<ir::NodeId, std::vector<ir::Position>> positionsOf(const RunView& run)
{
    std::map<ir::NodeId, std::vector<ir::Position>> out;
    for (const trace::Event& e : run.recording->events)
        if (e.kind == EventKind::Insert && !e.nodes.empty())
            out[e.nodes.front()].push_back(positionOf(e, "position"));
    for (const trace::Event& e : run.recording->events)
        if (e.kind == EventKind::Reuse && e.nodes.size() > 1 && positionOf(e, "position").node != ir::kNoNode)
            out[e.nodes[1]].push_back(positionOf(e, "position"));
    return out;
}

std::map<ir::Position, SeenRange> seenByPosition(const RunView& run)
{
    std::map<ir::Position, SeenRange> out;
    const auto seen = seenByObserver(run);
    for (const auto& [observer, positions] : positionsOf(run))
        if (const auto range = seen.find(observer); range != seen.end())
            for (const ir::Position position : positions)
                out[position] = range->second;
    return out;
}

} // namespace gb::explain
