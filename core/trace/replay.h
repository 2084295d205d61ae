// The graphs at any moment of a recording.
//
// A Moment is a value: graphs, attributes and observers after the event at an index. Moments are made from the edits:
// graphs that nobody looks at any more are carried on to the moment that is wanted, forward by the edits between, back
// by what undoes them, so that a step costs what its edits cost and not what the graph's size is. Far jumps begin at a
// checkpoint. Moments are kept while somebody holds them; stepping over events without edits gives the same one again.
//
// Thread: a Replay belongs to one thread; Moments may be read from any.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <map>
#include <memory>

namespace gb::trace {

/// An attribute as a recording knows it.
struct AttributeInfo {
    ir::AttributeKind kind = ir::AttributeKind::Parameter;
    ir::DType dtype = ir::DType::Float32;
    ir::Shape shape;
    std::optional<ir::Tensor> value; ///< absent when the recording came from a file
    std::string sha256;              ///< empty where not computed
};

/// One graph (the top one or a sub-graph) at a moment.
struct GraphMoment {
    std::shared_ptr<const ir::Graph> graph;
    std::map<std::string, AttributeInfo> attributes;
    std::map<std::string, std::shared_ptr<const ObserverInfo>> observers;         ///< by call_module target
    std::map<std::string, std::shared_ptr<const ObserverRecord>> observerRecords; ///< the newest state of each

    /// The newest state of the observer object behind a target, or null. A shared observer has several targets and runs
    /// under each of them; the record that has seen most is the object's state.
    [[nodiscard]] const quant::ObserverState* stateOf(const std::string& target) const;
};

struct Moment {
    int event = -1; ///< the newest event with an effect that is in it
    /// By path: "" is the top graph; a sub-graph's path is its parent's path + "." + target (without leading dot).
    std::map<std::string, std::shared_ptr<const GraphMoment>> graphs;

    [[nodiscard]] const GraphMoment& top() const;
};
using MomentPtr = std::shared_ptr<const Moment>;

class Replay {
public:
    explicit Replay(RecordingPtr recording);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// The moment after event `index` (-1: before the first one). Error (Format) when the edits do not fit the graph,
    /// which only a broken recording file can bring about; names the event.
    base::Result<MomentPtr> at(int index);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace gb::trace
