// What happened inside one event: the finest steps of a walk over a recording.
//
// An attempt or a match is taken apart into the members of its chain and the condition that decided; an observer's
// update into what it saw, how its range and its histogram moved; scale and zero point into each move of the histogram
// search (quant/histogram_search.h) and the formula. All of it comes from what the recording holds: nothing is run
// again but the search, which needs the recorded histogram alone.
//
// Thread: an Insides may be read from any thread once it is made.
#pragma once

#include "base/message.h"
#include "quant/histogram_search.h"
#include "trace/recording.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gb::explain {

struct InnerStep {
    base::Message sentence;
    std::vector<ir::NodeId> nodes = {};         ///< what it is about; may be empty
    std::optional<quant::SearchMove> move = {}; ///< of a histogram search
};

class Insides {
public:
    explicit Insides(trace::RecordingPtr recording);

    /// In the order in which they happened; empty for an event that has nothing inside.
    [[nodiscard]] std::vector<InnerStep> of(int event) const;

private:
    struct Node {
        std::string name;
        std::string target;
    };
    struct Update {
        int before = -1; ///< the event with the same observer's state before; -1 for none
        std::shared_ptr<const trace::ObserverInfo> info;
    };
    [[nodiscard]] std::vector<InnerStep> ofChain(const trace::Event& e) const;
    [[nodiscard]] const trace::Event& event(int index) const
    {
        return m_recording->events[static_cast<std::size_t>(index)];
    }

    trace::RecordingPtr m_recording;
    std::unordered_map<ir::NodeId, Node> m_nodes;
    std::map<int, Update> m_updates; ///< by event with a record
};

/// An observer's update from one state (null: none yet) to the next.
std::vector<InnerStep> insideOfUpdate(const trace::Event& event, const quant::ObserverState* before,
                                      const trace::ObserverInfo& info);
/// How scale and zero point came out of a state.
std::vector<InnerStep> insideOfQParams(const quant::ObserverState& state, const trace::ObserverInfo& info);

} // namespace gb::explain
