#include "trace/recording.h"

namespace gb::trace {

int Recording::stageEvent(std::string_view stage) const
{
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i].kind == EventKind::Stage && events[i].name == stage && events[i].graph.empty())
            return static_cast<int>(i);
    return -1;
}

std::vector<std::string> Recording::stages() const
{
    std::vector<std::string> out;
    for (const Event& e : events)
        if (e.kind == EventKind::Stage && e.graph.empty())
            out.push_back(e.name);
    return out;
}

} // namespace gb::trace
