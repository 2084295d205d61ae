#include "picture/sharing.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace gb::views {
namespace {

using trace::EventKind;

std::optional<ir::Position> positionFrom(const ir::Argument& argument)
{
    const auto* list = argument.as<ir::Sequence>();
    if (!list || list->items.empty() || list->items.size() > 2)
        return std::nullopt;
    ir::Position position{list->items[0].nodeId(), ir::kNoNode};
    if (list->items.size() == 2)
        position.consumer = list->items[1].nodeId();
    return position.node == ir::kNoNode ? std::nullopt : std::optional(position);
}

std::optional<std::int64_t> number(const trace::Event& event, std::string_view field)
{
    const ir::Argument* value = event.field(field);
    const auto* n = value ? value->as<std::int64_t>() : nullptr;
    return n ? std::optional(*n) : std::nullopt;
}

/// Every label of a graph with its position, in graph order.
template <class Visit>
void forEachLabel(const ir::Graph& graph, Visit visit)
{
    for (const ir::Node* node = graph.first(); node; node = node->next()) {
        if (!node->annotation())
            continue;
        for (const auto& [upstream, spec] : node->annotation()->inputs)
            visit(ir::Position{upstream, node->id()}, spec);
        if (node->annotation()->output)
            visit(ir::Position{node->id(), ir::kNoNode}, node->annotation()->output);
    }
}

} // namespace

void Sharing::add(int number, std::vector<ir::Position> members, bool isExplicit)
{
    if (members.size() > 1)
        m_info[number] = {number, static_cast<int>(members.size()), isExplicit};
    for (const ir::Position& member : members)
        m_groups[member] = number;
}

Sharing Sharing::of(const trace::Recording& recording, const std::string& path)
{
    Sharing out;
    std::vector<std::pair<ir::Position, ir::Position>> asked;
    for (const trace::Event& event : recording.events) {
        if (event.graph != path)
            continue;
        if (event.kind == EventKind::Share && event.text("how") == "explicit") {
            const auto a = event.field("a") ? positionFrom(*event.field("a")) : std::nullopt;
            const auto b = event.field("b") ? positionFrom(*event.field("b")) : std::nullopt;
            if (a && b)
                asked.emplace_back(*a, *b);
        } else if (event.kind == EventKind::Group) {
            const ir::Argument* members = event.field("members");
            const auto* list = members ? members->as<ir::Sequence>() : nullptr;
            const auto group = number(event, "group");
            if (!list || !group)
                continue;
            std::vector<ir::Position> positions;
            for (const ir::Argument& member : list->items)
                if (const auto position = positionFrom(member))
                    positions.push_back(*position);
            out.add(static_cast<int>(*group), std::move(positions), false);
        } else if (event.kind == EventKind::Observer) {
            const auto group = number(event, "group");
            const auto instance = number(event, "observer");
            if (group && instance)
                out.m_observers[*instance] = static_cast<int>(*group);
        }
    }
    for (const auto& [a, b] : asked) {
        const auto found = out.m_groups.find(a);
        const auto info = found == out.m_groups.end() ? out.m_info.end() : out.m_info.find(found->second);
        if (info != out.m_info.end())
            info->second.isExplicit = true;
    }
    return out;
}

Sharing Sharing::ofLabels(const ir::Graph& graph)
{
    std::map<ir::Position, ir::Position> parent;
    const auto root = [&](ir::Position p) {
        for (std::size_t steps = 0; steps <= parent.size() && parent.contains(p) && parent.at(p) != p; ++steps)
            p = parent.at(p);
        return p;
    };
    std::vector<ir::Position> order;
    forEachLabel(graph, [&](const ir::Position& position, const ir::Spec& spec) {
        if (parent.try_emplace(position, position).second)
            order.push_back(position);
        const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec);
        if (!shared)
            return;
        if (parent.try_emplace(shared->with, shared->with).second)
            order.push_back(shared->with);
        const ir::Position from = root(position);
        const ir::Position to = root(shared->with);
        if (from != to)
            parent[from] = to;
    });
    std::map<ir::Position, std::size_t> slotOf;
    std::vector<std::vector<ir::Position>> groups;
    for (const ir::Position& position : order) {
        const auto [slot, isNew] = slotOf.try_emplace(root(position), groups.size());
        if (isNew)
            groups.emplace_back();
        groups[slot->second].push_back(position);
    }
    Sharing out;
    int next = 1;
    for (auto& members : groups)
        if (members.size() > 1)
            out.add(next++, std::move(members), true);
    return out;
}

GroupInfo Sharing::at(const ir::Position& position) const
{
    const auto found = m_groups.find(position);
    const auto info = found == m_groups.end() ? m_info.end() : m_info.find(found->second);
    return info == m_info.end() ? GroupInfo{} : info->second;
}

GroupInfo Sharing::ofObserver(std::int64_t instance) const
{
    const auto found = m_observers.find(instance);
    const auto info = found == m_observers.end() ? m_info.end() : m_info.find(found->second);
    return info == m_info.end() ? GroupInfo{} : info->second;
}

} // namespace gb::views
