// Puts the edits of events into graphs and takes them back: what a Replay steps with.
//
// A Working is one graph at a moment and what belongs to it. It shares what it holds with moments and with other
// Workings; who writes next makes a copy of what somebody else still looks at, and only of that.
//
// Thread: one at a time; what is shared may be read from any.
#pragma once

#include "base/result.h"
#include "trace/event.h"
#include "trace/replay.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gb::trace {

struct Working {
    std::shared_ptr<ir::Graph> graph;
    std::shared_ptr<GraphMoment> facts; ///< its graph is `graph`

    /// Whether anybody but this and `moments` moments looks at it.
    [[nodiscard]] bool isShared(long moments) const { return facts.use_count() > 1 + moments || graph.use_count() > 2; }
};
using Workings = std::map<std::string, Working>; ///< by the graph's path

/// How an edit is taken back: by another one, and then some order is put right that no edit tells of.
struct Undo {
    Edit edit;
    ir::AnnotationPtr annotation;    ///< of a node that comes back
    std::vector<std::size_t> places; ///< among the users of its inputs, as Graph::placesAmongUsers
};

struct EventUndo {
    std::vector<Undo> edits;                      ///< in the order of the edits
    std::shared_ptr<const ObserverRecord> record; ///< the one before; null where there was none
    std::vector<std::string> graphs;              ///< paths that came with the event
};

/// Applies an event's edits and its record, and says how they are taken back. Error (Format): an edit does not fit the
/// graph, which is then half done.
base::Result<EventUndo> applyEvent(Workings& graphs, const Event& event);

/// Precondition: the event is the newest that was applied; `undo` is what applyEvent() gave for it.
void takeBackEvent(Workings& graphs, const Event& event, const EventUndo& undo);

} // namespace gb::trace
