#include "observers/observer_source.h"

#include "session/translate.h"

#include <QCoreApplication>

#include <algorithm>

namespace gb::views {
namespace {

using trace::Event;
using trace::EventKind;

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::ObserverSource", text);
}

/// The position that a field holds: [node] or [upstream, consumer], or a bare node.
ir::Position positionOf(const ir::Argument* field)
{
    ir::Position position;
    if (!field)
        return position;
    const auto* list = field->as<ir::Sequence>();
    if (!list) {
        position.node = field->nodeId();
        return position;
    }
    if (!list->items.empty())
        position.node = list->items[0].nodeId();
    if (list->items.size() > 1)
        position.consumer = list->items[1].nodeId();
    return position;
}

std::int64_t numberOf(const Event& event, const char* field)
{
    const ir::Argument* value = event.field(field);
    const auto* number = value ? value->as<std::int64_t>() : nullptr;
    return number ? *number : -1;
}

bool touches(const Event& event, ir::NodeId node)
{
    return std::ranges::find(event.nodes, node) != event.nodes.end();
}

const ir::Node* findNode(const trace::Moment& moment, ir::NodeId id)
{
    for (const auto& [path, graph] : moment.graphs)
        if (const ir::Node* node = graph->graph->find(id))
            return node;
    return nullptr;
}

} // namespace

ObserverSource::ObserverSource(Session* session)
    : m_session(session)
    , m_rows(ObserverCache::of(session).rowsOf(nullptr))
{
}

void ObserverSource::refresh()
{
    const trace::RecordingPtr& recording = m_session->recording();
    if (recording == m_recording && m_session->cursor() == m_cursor)
        return;
    if (recording != m_recording) {
        m_recording = recording;
        m_final = nullptr;
        m_finalEvent = -1;
        m_shown = nullptr;
        for (const char* stage : {"calibrated", "prepared"}) {
            const QString name = QLatin1String(stage);
            if ((m_final = m_session->momentOfStage(name))) {
                m_finalEvent = recording->stageEvent(stage);
                break;
            }
        }
    }
    m_cursor = m_session->cursor();
    // behind calibration the observers are taken out one by one: what they held then is what convert works with
    if (m_final && m_cursor >= m_finalEvent) {
        showMoment(m_final, m_finalEvent);
        return;
    }
    const trace::MomentPtr now = m_session->moment();
    const bool any = std::ranges::any_of(now->graphs, [](const auto& g) { return !g.second->observers.empty(); });
    if (any || !m_final)
        showMoment(now, m_cursor);
    else
        showMoment(m_final, m_finalEvent);
}

void ObserverSource::showMoment(const trace::MomentPtr& moment, int event)
{
    if (moment != m_shown) {
        m_shown = moment;
        m_rows = ObserverCache::of(m_session).rowsOf(moment);
    }
    m_event = m_rows->empty() ? -1 : event;
}

const ObserverRowsPtr& ObserverSource::shared()
{
    refresh();
    return m_rows;
}

QString ObserverSource::when()
{
    refresh();
    if (m_event < 0)
        return tr("no observers");
    if (m_event == m_finalEvent && m_final)
        return m_recording->events[static_cast<std::size_t>(m_event)].name == "calibrated" ? tr("after calibration")
                                                                                           : tr("after prepare");
    for (int i = m_event; i >= 0; i = m_recording->events[static_cast<std::size_t>(i)].parent) {
        const Event& e = m_recording->events[static_cast<std::size_t>(i)];
        if (e.kind == EventKind::Batch)
            return tr("in batch %1").arg(numberOf(e, "index"));
    }
    return tr("at step %1").arg(m_event);
}

const ObserverRow* ObserverSource::findInstance(std::int64_t instance)
{
    refresh();
    const auto found = std::ranges::find(*m_rows, instance, &ObserverRow::instance);
    return found == m_rows->end() || instance == -1 ? nullptr : &*found;
}

const ObserverRow* ObserverSource::find(const Selected& selected)
{
    refresh();
    switch (selected.kind) {
    case Selected::Kind::Node: return ofNode(selected.node);
    case Selected::Kind::Label: return ofLabel(selected.label);
    case Selected::Kind::Group: return ofGroup(selected.group);
    case Selected::Kind::Nothing: break;
    }
    return nullptr;
}

Selected ObserverSource::selectionOf(const ObserverRow& row)
{
    return {Selected::Kind::Node, row.nodes.empty() ? ir::kNoNode : row.nodes.front(), {}, -1};
}

const ObserverRow* ObserverSource::ofNode(ir::NodeId node)
{
    for (const ObserverRow& row : *m_rows)
        if (std::ranges::find(row.nodes, node) != row.nodes.end())
            return &row;
    if (const ObserverRow* row = observing(node))
        return row;
    return replacedBy(node);
}

/// The observer that takes this tensor first.
const ObserverRow* ObserverSource::observing(ir::NodeId node)
{
    for (const ObserverRow& row : *m_rows)
        if (node != ir::kNoNode && std::ranges::find(row.inputs, node) != row.inputs.end())
            return &row;
    return nullptr;
}

/// For a node that convert made: the observer that an event touched together with it, or that its tensor came from.
const ObserverRow* ObserverSource::replacedBy(ir::NodeId node)
{
    if (!m_recording)
        return nullptr;
    for (std::size_t i = static_cast<std::size_t>(std::max(0, m_finalEvent)); i < m_recording->events.size(); ++i) {
        const Event& e = m_recording->events[i];
        if (e.kind != EventKind::Rewrite && e.kind != EventKind::QParams && e.kind != EventKind::Fold)
            continue;
        bool added = touches(e, node);
        for (const trace::Edit& edit : e.edits)
            if (const auto* n = std::get_if<trace::NodeAdded>(&edit))
                added = added || n->row.id == node;
        if (!added)
            continue;
        for (const ObserverRow& row : *m_rows)
            for (const ir::NodeId observer : row.nodes)
                if (touches(e, observer))
                    return &row;
        for (const ir::NodeId other : e.nodes) // a folded weight: what it was made of
            if (const ObserverRow* row = observing(other))
                return row;
    }
    // a folded weight, a duplicated dq: go by what it was made of
    const trace::MomentPtr now = m_session->moment();
    const ir::Node* at = findNode(*now, node);
    for (int steps = 0; at && steps < 4; ++steps) {
        for (const ir::NodeId from : at->meta().fromNodes)
            for (const ObserverRow& row : *m_rows)
                if (std::ranges::find(row.nodes, from) != row.nodes.end())
                    return &row;
        const bool pair = at->target().find("quantize") != std::string::npos;
        if (!pair || at->inputs().empty())
            return nullptr;
        at = at->inputs().front();
        if (const ObserverRow* row = observing(at->id()))
            return row;
    }
    return nullptr;
}

const ObserverRow* ObserverSource::ofLabel(const ir::Position& position)
{
    if (!m_recording)
        return nullptr;
    for (const Event& e : m_recording->events) { // what prepare said
        if (e.kind == EventKind::Insert && positionOf(e.field("position")) == position)
            return findInstance(numberOf(e, "observer"));
        if (e.kind == EventKind::Reuse && position.isEdge() && !e.nodes.empty() && e.nodes[0] == position.consumer) {
            const ObserverRow* row = findInstance(numberOf(e, "observer"));
            if (row && std::ranges::find(row->inputs, position.node) != row->inputs.end())
                return row;
        }
    }
    if (!position.isEdge())
        return observing(position.node);
    const ir::Node* consumer = m_shown ? findNode(*m_shown, position.consumer) : nullptr;
    if (!consumer)
        return nullptr;
    for (const ir::Node* input : consumer->inputs()) // the graph's own word: an observer between the two
        for (const ObserverRow& row : *m_rows)
            for (std::size_t i = 0; i < row.nodes.size(); ++i)
                if (row.nodes[i] == input->id() && row.inputs[i] == position.node)
                    return &row;
    return nullptr;
}

const ObserverRow* ObserverSource::ofGroup(int group)
{
    if (m_recording)
        for (const Event& e : m_recording->events)
            if (e.kind == EventKind::Observer && numberOf(e, "group") == group)
                return findInstance(numberOf(e, "observer"));
    return nullptr;
}

} // namespace gb::views
