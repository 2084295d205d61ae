#include "ir/argument.h"

namespace gb::ir {

bool operator==(const Argument& a, const Argument& b)
{
    if (a.value.index() != b.value.index())
        return false;
    if (const auto* list = a.as<Sequence>())
        return list->tuple == b.as<Sequence>()->tuple && list->items == b.as<Sequence>()->items;
    if (const auto* slice = a.as<SliceArgument>())
        return slice->parts == b.as<SliceArgument>()->parts;
    if (const auto* map = a.as<Mapping>())
        return map->items == b.as<Mapping>()->items;
    return std::visit(
        [&b]<class T>(const T& mine) {
            if constexpr (std::is_same_v<T, Sequence> || std::is_same_v<T, SliceArgument> || std::is_same_v<T, Mapping>)
                return true; // handled above
            else
                return mine == *b.as<T>();
        },
        a.value);
}

void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit)
{
    if (const auto* ref = argument.as<NodeRef>()) {
        visit(ref->id);
    } else if (const auto* list = argument.as<Sequence>()) {
        for (const Argument& item : list->items)
            forEachNode(item, visit);
    } else if (const auto* slice = argument.as<SliceArgument>()) {
        for (const Argument& part : slice->parts)
            forEachNode(part, visit);
    } else if (const auto* map = argument.as<Mapping>()) {
        for (const auto& [key, item] : map->items)
            forEachNode(item, visit);
    }
}

Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map)
{
    if (const auto* ref = argument.as<NodeRef>())
        return map(ref->id);
    Argument out = argument;
    if (auto* list = std::get_if<Sequence>(&out.value)) {
        for (Argument& item : list->items)
            item = mapNodes(item, map);
    } else if (auto* slice = std::get_if<SliceArgument>(&out.value)) {
        for (Argument& part : slice->parts)
            part = mapNodes(part, map);
    } else if (auto* dict = std::get_if<Mapping>(&out.value)) {
        for (auto& [key, item] : dict->items)
            item = mapNodes(item, map);
    }
    return out;
}

} // namespace gb::ir
