#include "explain/inside.h"

#include "explain/view.h"

#include <algorithm>

namespace gb::explain {

using base::message;
using trace::Event;
using trace::EventKind;

Insides::Insides(trace::RecordingPtr recording)
    : m_recording(std::move(recording))
{
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const trace::ObserverInfo>> infos;
    std::map<std::int64_t, int> newest; // by observer object: a shared one runs under several targets
    for (std::size_t i = 0; i < m_recording->events.size(); ++i) {
        const Event& e = m_recording->events[i];
        for (const trace::Edit& edit : e.edits) {
            if (const auto* added = std::get_if<trace::NodeAdded>(&edit))
                m_nodes[added->row.id] = {added->row.name, added->row.target};
            else if (const auto* renamed = std::get_if<trace::NameChanged>(&edit))
                m_nodes[renamed->id].name = renamed->name;
            else if (const auto* module = std::get_if<trace::ModuleChanged>(&edit); module && module->info)
                infos[{module->graph, module->target}] = module->info;
        }
        const auto info = e.record ? infos.find({e.record->graph, e.record->target}) : infos.end();
        if (info == infos.end())
            continue;
        const auto [last, isFirst] = newest.try_emplace(info->second->instance, -1);
        m_updates[static_cast<int>(i)] = {last->second, info->second};
        last->second = static_cast<int>(i);
    }
}

std::vector<InnerStep> Insides::of(int index) const
{
    if (index < 0 || index >= static_cast<int>(m_recording->events.size()))
        return {};
    const Event& e = event(index);
    if (e.kind == EventKind::Attempt || e.kind == EventKind::Match)
        return ofChain(e);
    const auto update = m_updates.find(index);
    if (update == m_updates.end())
        return {};
    const auto& [before, info] = update->second;
    if (e.kind == EventKind::QParams)
        return insideOfQParams(e.record->state, *info);
    if (e.kind == EventKind::Observe)
        return insideOfUpdate(e, before < 0 ? nullptr : &event(before).record->state, *info);
    return {};
}

/// The members in the order in which the rule took them; of an attempt also the condition that failed.
std::vector<InnerStep> Insides::ofChain(const Event& e) const
{
    std::vector<std::string> begins;
    for (int at = e.parent; at >= 0 && begins.empty(); at = event(at).parent)
        if (event(at).kind == EventKind::Rule)
            begins = texts(event(at), "targets");
    std::vector<InnerStep> out;
    for (const ir::NodeId id : e.nodes) {
        const auto node = m_nodes.find(id);
        if (node == m_nodes.end())
            continue;
        const auto& [name, target] = node->second;
        const bool isBegin = std::ranges::find(begins, target) != begins.end();
        out.push_back({isBegin ? message("{0} is {1}: rule {2} begins at this op", name, target, e.text("rule"))
                               : message("{0} is {1}: rule {2} takes it into the chain", name, target, e.text("rule")),
                       {id}});
    }
    if (e.kind == EventKind::Attempt && e.field("condition"))
        out.push_back({message("condition {0}: found {1}, {2} expected; refused ({3})", e.text("condition"),
                               e.text("found"), e.text("expected"), e.text("code")),
                       e.nodes});
    return out;
}

} // namespace gb::explain
