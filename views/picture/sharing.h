// Sharing groups and observer numbers, as a recording tells them.
//
// The numbers are those of prepare's group events. Before prepare has run there are none: then groups are made of what
// the labels ask for (shared specs), numbered in graph order.
//
// Thread: an immutable value once made.
#pragma once

#include "ir/graph.h"
#include "picture/label_text.h"
#include "trace/recording.h"

#include <map>
#include <string>
#include <vector>

namespace gb::views {

class Sharing {
public:
    /// From the group and observer events of one graph; explicit sharing from the labels where there are none.
    static Sharing of(const trace::Recording& recording, const std::string& path);
    /// From the labels of a graph alone.
    static Sharing ofLabels(const ir::Graph& graph);

    [[nodiscard]] bool empty() const { return m_groups.empty(); }
    [[nodiscard]] GroupInfo at(const ir::Position& position) const;
    /// The group that an observer instance serves; number -1 where it serves one position only or is not known.
    [[nodiscard]] GroupInfo ofObserver(std::int64_t instance) const;

private:
    void add(int number, std::vector<ir::Position> members, bool isExplicit);

    std::map<ir::Position, int> m_groups;
    std::map<int, GroupInfo> m_info;
    std::map<std::int64_t, int> m_observers; ///< instance -> group
};

} // namespace gb::views
