#include "trace/replay.h"

#include "base/message.h"

#include <algorithm>
#include <atomic>

namespace gb::trace {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using base::Status;

/// A checkpoint costs a copy of the graphs, in time and in memory, so a large graph gets fewer of them.
constexpr std::size_t kEditsPerCheckpoint = 512;
constexpr std::size_t kEditsPerCheckpointNode = 2; ///< one edit for this many nodes

/// A graph that edits are applied to. Moments and checkpoints share it as it is: who writes next makes a copy first.
struct Working {
    std::shared_ptr<ir::Graph> graph;
    GraphMoment facts;                            ///< all but the graph
    std::shared_ptr<const GraphMoment> published; ///< null where something was changed since
};

struct State {
    int event = -1;
    std::map<std::string, Working> graphs;
};

class Applier {
public:
    explicit Applier(State& state)
        : m_state(state)
    {
    }

    Status operator()(const NodeAdded& e)
    {
        Working& w = writable(e.graph);
        ir::Node* before = nullptr;
        if (e.before != ir::kNoNode && !(before = w.graph->find(e.before)))
            return missing(e.before);
        const NodeRow& r = e.row;
        auto added = w.graph->restore(before, r.id, r.name, {r.op, r.target, r.args, r.kwargs, {}, r.meta});
        return added ? Status() : Status(added.error());
    }
    Status operator()(const NodeErased& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        if (!node->users().empty())
            return Error{ErrorCode::Format, say("is erased while {0} uses it", node->users()[0]->name()),
                         "node " + node->name()};
        working(e.graph).graph->erase(node);
        return {};
    }
    Status operator()(const NodeMoved& e)
    {
        ir::Node* node = find(e.graph, e.id);
        ir::Node* before = e.before == ir::kNoNode ? nullptr : find(e.graph, e.before);
        if (!node || (e.before != ir::kNoNode && !before))
            return missing(node ? e.before : e.id);
        working(e.graph).graph->moveBefore(node, before);
        return {};
    }
    Status operator()(const InputsChanged& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        working(e.graph).graph->setArgs(node, e.args, e.kwargs);
        return {};
    }
    Status operator()(const TargetChanged& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        working(e.graph).graph->setTarget(node, e.target);
        return {};
    }
    Status operator()(const NameChanged& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        if (const ir::Node* other = working(e.graph).graph->find(e.name); other && other != node)
            return Error{ErrorCode::Format, "two nodes of this name", "node " + e.name};
        if (node->name() != e.name)
            working(e.graph).graph->rename(node, e.name);
        return {};
    }
    Status operator()(const MetaChanged& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        working(e.graph).graph->setMeta(node, e.meta);
        return {};
    }
    Status operator()(const AnnotationChanged& e)
    {
        ir::Node* node = find(e.graph, e.id);
        if (!node)
            return missing(e.id);
        working(e.graph).graph->setAnnotation(node, e.annotation);
        return {};
    }
    Status operator()(const AttributeChanged& e)
    {
        GraphMoment& facts = working(e.graph).facts;
        if (e.present)
            facts.attributes[e.name] = {e.kind, e.dtype, e.shape, e.value, e.sha256};
        else
            facts.attributes.erase(e.name);
        return {};
    }
    Status operator()(const ModuleChanged& e)
    {
        GraphMoment& facts = working(e.graph).facts;
        if (e.info)
            facts.observers[e.target] = e.info;
        else
            facts.observers.erase(e.target);
        return {};
    }
    void record(const std::shared_ptr<const ObserverRecord>& record)
    {
        working(record->graph).facts.observerRecords[record->target] = record;
    }

private:
    /// To write to the graph: nobody else holds it after this.
    Working& writable(const std::string& path)
    {
        Working& w = working(path);
        if (w.graph.use_count() > 1)
            w.graph = w.graph->clone();
        else
            std::atomic_thread_fence(std::memory_order_acquire); // after the reads of who held it last
        return w;
    }
    Working& working(const std::string& path)
    {
        Working& w = m_state.graphs[path];
        if (!w.graph)
            w.graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), path);
        w.published.reset();
        return w;
    }
    ir::Node* find(const std::string& path, ir::NodeId id) { return writable(path).graph->find(id); }
    static Status missing(ir::NodeId id)
    {
        return Error{ErrorCode::Format, say("refers to node number {0}, which is not there", id), {}};
    }

    State& m_state;
};

} // namespace

const quant::ObserverState* GraphMoment::stateOf(const std::string& target) const
{
    const auto info = observers.find(target);
    const auto own = observerRecords.find(target);
    const ObserverRecord* newest = own == observerRecords.end() ? nullptr : own->second.get();
    for (const auto& [other, otherInfo] : observers) {
        const auto record = observerRecords.find(other);
        if (info == observers.end() || otherInfo->instance != info->second->instance || record == observerRecords.end())
            continue;
        if (!newest || record->second->state.batches > newest->state.batches)
            newest = record->second.get();
    }
    return newest ? &newest->state : nullptr;
}

const GraphMoment& Moment::top() const
{
    static const GraphMoment kEmpty{std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), ""), {}, {}, {}};
    const auto found = graphs.find("");
    return found == graphs.end() ? kEmpty : *found->second;
}

struct Replay::Impl {
    RecordingPtr recording;
    State state;
    std::vector<State> checkpoints; ///< ascending by event
    MomentPtr shown;                ///< of the current state
    std::size_t editsSinceCheckpoint = 0;

    Status forwardTo(int index)
    {
        while (state.event < index) {
            const Event& e = recording->events[static_cast<std::size_t>(state.event + 1)];
            if (!e.edits.empty() || e.record)
                shown.reset(); // else it would be one more who holds the graphs
            Applier apply(state);
            for (const Edit& edit : e.edits)
                if (Status s = std::visit(apply, edit); !s)
                    return s.error().in(say("event {0}", state.event + 1));
            if (e.record)
                apply.record(e.record);
            ++state.event;
            if (e.edits.empty() && !e.record)
                continue;
            editsSinceCheckpoint += e.edits.size() + 1;
            if (editsSinceCheckpoint >= std::max(kEditsPerCheckpoint, nodeCount() / kEditsPerCheckpointNode)
                && (checkpoints.empty() || checkpoints.back().event < state.event)) {
                checkpoints.push_back(state);
                editsSinceCheckpoint = 0;
            }
        }
        return {};
    }

    [[nodiscard]] std::size_t nodeCount() const
    {
        std::size_t count = 0;
        for (const auto& [path, w] : state.graphs)
            count += w.graph->size();
        return count;
    }

    void backTo(int index)
    {
        const auto after = std::upper_bound(checkpoints.begin(), checkpoints.end(), index,
                                            [](int wanted, const State& s) { return wanted < s.event; });
        state = after == checkpoints.begin() ? State() : *std::prev(after);
        editsSinceCheckpoint = 0;
        shown.reset();
    }

    MomentPtr publish()
    {
        if (shown)
            return shown;
        auto moment = std::make_shared<Moment>();
        moment->event = state.event;
        for (auto& [path, w] : state.graphs) {
            if (!w.published) {
                auto facts = std::make_shared<GraphMoment>(w.facts);
                facts->graph = w.graph;
                w.published = std::move(facts);
            }
            moment->graphs[path] = w.published;
        }
        shown = std::move(moment);
        return shown;
    }
};

Replay::Replay(RecordingPtr recording)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->recording = std::move(recording);
}

Replay::~Replay() = default;

base::Result<MomentPtr> Replay::at(int index)
{
    index = std::clamp(index, -1, static_cast<int>(m_impl->recording->events.size()) - 1);
    if (index < m_impl->state.event)
        m_impl->backTo(index);
    GB_TRY(m_impl->forwardTo(index));
    return m_impl->publish();
}

} // namespace gb::trace
