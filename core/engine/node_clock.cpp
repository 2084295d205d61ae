#include "engine/node_clock.h"

namespace gb::engine {

NodeClock::NodeClock(ops::RunListener& next, NodeTimes& times)
    : m_next(next)
    , m_times(times)
{
}

void NodeClock::nodeStarted(const ir::Node& node)
{
    m_next.nodeStarted(node);
    m_running.push_back({node.id(), Clock::now(), {}});
}

void NodeClock::nodeFinished(const ir::Node& node, const ops::Value& value)
{
    const auto now = Clock::now();
    // a run that ended with an error leaves nodes that never finish
    while (!m_running.empty() && m_running.back().node != node.id())
        m_running.pop_back();
    if (!m_running.empty()) {
        const std::chrono::duration<double, std::milli> took = m_running.back().before + (now - m_running.back().start);
        NodeTime& time = m_times[node.id()];
        time.milliseconds += took.count();
        ++time.runs;
        m_running.pop_back();
    }
    m_next.nodeFinished(node, value);
}

void NodeClock::observerSaw(const ir::Node& node, const quant::Observer& observer)
{
    const bool known = !m_running.empty() && m_running.back().node == node.id();
    if (known)
        m_running.back().before += Clock::now() - m_running.back().start;
    m_next.observerSaw(node, observer);
    if (known)
        m_running.back().start = Clock::now();
}

} // namespace gb::engine
