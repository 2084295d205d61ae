#include "trace/applier.h"

#include "base/message.h"

#include <atomic>
#include <ranges>

namespace gb::trace {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using base::Status;

class Applier {
public:
    Applier(Workings& graphs, EventUndo& undo)
        : m_graphs(graphs)
        , m_undo(undo)
    {
    }

    Status operator()(const NodeAdded& e)
    {
        ir::Graph& graph = writable(e.graph);
        ir::Node* before = nullptr;
        if (e.before != ir::kNoNode && !(before = graph.find(e.before)))
            return missing(e.before);
        const NodeRow& r = e.row;
        auto added = graph.restore(before, r.id, r.name, {r.op, r.target, r.args, r.kwargs, {}, r.meta});
        if (!added)
            return added.error();
        m_undo.edits.push_back({NodeErased{e.graph, r.id}, {}, {}});
        return {};
    }
    Status operator()(const NodeErased& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            if (!node.users().empty())
                return Error{ErrorCode::Format, say("is erased while {0} uses it", node.users()[0]->name()),
                             "node " + node.name()};
            NodeRow row{node.id(), node.name(), node.op(), node.target(), node.args(), node.kwargs(), node.metaPtr()};
            m_undo.edits.push_back({NodeAdded{e.graph, std::move(row), after(node)}, node.annotation(),
                                    ir::Graph::placesAmongUsers(&node)});
            node.graph().erase(&node);
            return {};
        });
    }
    Status operator()(const NodeMoved& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            ir::Node* before = e.before == ir::kNoNode ? nullptr : node.graph().find(e.before);
            if (e.before != ir::kNoNode && !before)
                return missing(e.before);
            m_undo.edits.push_back({NodeMoved{e.graph, e.id, after(node)}, {}, {}});
            node.graph().moveBefore(&node, before);
            return {};
        });
    }
    Status operator()(const InputsChanged& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            m_undo.edits.push_back(
                {InputsChanged{e.graph, e.id, node.args(), node.kwargs()}, {}, ir::Graph::placesAmongUsers(&node)});
            node.graph().setArgs(&node, e.args, e.kwargs);
            return {};
        });
    }
    Status operator()(const TargetChanged& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            m_undo.edits.push_back({TargetChanged{e.graph, e.id, node.target()}, {}, {}});
            node.graph().setTarget(&node, e.target);
            return {};
        });
    }
    Status operator()(const NameChanged& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            if (const ir::Node* other = node.graph().find(e.name); other && other != &node)
                return Error{ErrorCode::Format, "two nodes of this name", "node " + e.name};
            m_undo.edits.push_back({NameChanged{e.graph, e.id, node.name()}, {}, {}});
            if (node.name() != e.name)
                node.graph().rename(&node, e.name);
            return {};
        });
    }
    Status operator()(const MetaChanged& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            m_undo.edits.push_back({MetaChanged{e.graph, e.id, node.metaPtr()}, {}, {}});
            node.graph().setMeta(&node, e.meta);
            return {};
        });
    }
    Status operator()(const AnnotationChanged& e)
    {
        return change(e, [&](ir::Node& node) -> Status {
            m_undo.edits.push_back({AnnotationChanged{e.graph, e.id, node.annotation()}, {}, {}});
            node.graph().setAnnotation(&node, e.annotation);
            return {};
        });
    }
    Status operator()(const AttributeChanged& e)
    {
        auto& attributes = facts(e.graph).attributes;
        AttributeChanged before{e.graph, e.name, false, {}, {}, {}, {}, {}};
        if (const auto old = attributes.find(e.name); old != attributes.end())
            before = {e.graph,
                      e.name,
                      true,
                      old->second.kind,
                      old->second.dtype,
                      old->second.shape,
                      old->second.value,
                      old->second.sha256};
        m_undo.edits.push_back({std::move(before), {}, {}});
        if (e.present)
            attributes[e.name] = {e.kind, e.dtype, e.shape, e.value, e.sha256};
        else
            attributes.erase(e.name);
        return {};
    }
    Status operator()(const ModuleChanged& e)
    {
        auto& observers = facts(e.graph).observers;
        const auto old = observers.find(e.target);
        m_undo.edits.push_back(
            {ModuleChanged{e.graph, e.target, old == observers.end() ? nullptr : old->second}, {}, {}});
        if (e.info)
            observers[e.target] = e.info;
        else
            observers.erase(e.target);
        return {};
    }

    void record(const std::shared_ptr<const ObserverRecord>& record)
    {
        auto& slot = facts(record->graph).observerRecords[record->target];
        m_undo.record = std::exchange(slot, record);
    }
    void takeRecordBack(const ObserverRecord& record, const std::shared_ptr<const ObserverRecord>& before)
    {
        auto& records = facts(record.graph).observerRecords;
        if (before)
            records[record.target] = before;
        else
            records.erase(record.target);
    }

    void takeBack(const Undo& undo)
    {
        if (const auto* added = std::get_if<NodeErased>(&undo.edit)) {
            ir::Graph& graph = writable(added->graph);
            graph.takeBack(graph.find(added->id));
            return;
        }
        [[maybe_unused]] const Status fits = std::visit(*this, undo.edit); // it does: what it undoes was applied
        if (const auto* erased = std::get_if<NodeAdded>(&undo.edit)) {
            ir::Node* node = find(erased->graph, erased->row.id);
            node->graph().setAnnotation(node, undo.annotation);
            ir::Graph::setPlacesAmongUsers(node, undo.places);
        } else if (const auto* inputs = std::get_if<InputsChanged>(&undo.edit)) {
            ir::Graph::setPlacesAmongUsers(find(inputs->graph, inputs->id), undo.places);
        }
    }

private:
    /// To write to the graph: nobody else holds it after this.
    ir::Graph& writable(const std::string& path)
    {
        Working& w = working(path);
        if (w.graph.use_count() > 2) {
            w.graph = w.graph->clone();
            w.facts->graph = w.graph;
        }
        return *w.graph;
    }
    GraphMoment& facts(const std::string& path) { return *working(path).facts; }
    /// Its facts are nobody else's.
    Working& working(const std::string& path)
    {
        const auto [found, isNew] = m_graphs.try_emplace(path);
        Working& w = found->second;
        if (isNew) {
            w.graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), path);
            w.facts = std::make_shared<GraphMoment>();
            w.facts->graph = w.graph;
            m_undo.graphs.push_back(path);
        } else if (w.facts.use_count() > 1) {
            w.facts = std::make_shared<GraphMoment>(*w.facts);
        } else {
            std::atomic_thread_fence(std::memory_order_acquire); // after the reads of who held it last
        }
        return w;
    }
    ir::Node* find(const std::string& path, ir::NodeId id) { return writable(path).find(id); }
    /// Does `how` to the node that an edit is of.
    template <class Change, class How>
    Status change(const Change& e, const How& how)
    {
        ir::Node* node = find(e.graph, e.id);
        return node ? how(*node) : missing(e.id);
    }
    static ir::NodeId after(const ir::Node& node) { return node.next() ? node.next()->id() : ir::kNoNode; }
    static Status missing(ir::NodeId id)
    {
        return Error{ErrorCode::Format, say("refers to node number {0}, which is not there", id), {}};
    }

    Workings& m_graphs;
    EventUndo& m_undo;
};

} // namespace

base::Result<EventUndo> applyEvent(Workings& graphs, const Event& event)
{
    EventUndo undo;
    undo.edits.reserve(event.edits.size());
    Applier apply(graphs, undo);
    for (const Edit& edit : event.edits)
        GB_TRY(std::visit(apply, edit));
    if (event.record)
        apply.record(event.record);
    return undo;
}

void takeBackEvent(Workings& graphs, const Event& event, const EventUndo& undo)
{
    EventUndo unused;
    Applier apply(graphs, unused);
    if (event.record)
        apply.takeRecordBack(*event.record, undo.record);
    for (const Undo& edit : undo.edits | std::views::reverse)
        apply.takeBack(edit);
    for (const std::string& path : undo.graphs)
        graphs.erase(path);
}

} // namespace gb::trace
