// Measures how long each node of a run takes.
//
// Thread: the one that runs the model.
#pragma once

#include "engine/node_times.h"
#include "ops/interpreter.h"

#include <chrono>
#include <vector>

namespace gb::engine {

/// Measures what goes on between a node's start and its end, and passes on what it is told. What `next` does then is
/// in no node's time.
class NodeClock final : public ops::RunListener {
public:
    NodeClock(ops::RunListener& next, NodeTimes& times);

    void nodeStarted(const ir::Node& node) override;
    void nodeFinished(const ir::Node& node, const ops::Value& value) override;
    void observerSaw(const ir::Node& node, const quant::Observer& observer) override;

private:
    using Clock = std::chrono::steady_clock;
    struct Running {
        ir::NodeId node = ir::kNoNode;
        Clock::time_point start;
        Clock::duration before{}; ///< what it took until it stopped to tell something
    };

    ops::RunListener& m_next;
    NodeTimes& m_times;
    std::vector<Running> m_running; ///< a node in each sub-graph around
};

} // namespace gb::engine
