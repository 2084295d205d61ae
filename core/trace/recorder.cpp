#include "trace/recorder.h"

namespace gb::trace {

using base::message;

void Scope::close()
{
    if (m_recorder)
        std::exchange(m_recorder, nullptr)->close(m_index);
}

Recorder::Recorder(Header header)
    : m_recording(std::make_shared<Recording>())
{
    m_recording->header = std::move(header);
}

int Recorder::say(Event event)
{
    const int index = static_cast<int>(m_recording->events.size());
    event.parent = m_open.empty() ? -1 : m_open.back();
    event.last = index;
    m_recording->events.push_back(std::move(event));
    m_current = index;
    return index;
}

Scope Recorder::open(Event event)
{
    const int index = say(std::move(event));
    m_open.push_back(index);
    return {this, index};
}

void Recorder::close(int index)
{
    // scopes close in the order of C++'s destructors, innermost first
    while (!m_open.empty()) {
        const int top = m_open.back();
        m_open.pop_back();
        at(top).last = static_cast<int>(m_recording->events.size()) - 1;
        if (top == index)
            break;
    }
    m_current = m_open.empty() ? index : m_open.back();
}

void Recorder::stage(const std::string& name, base::Message sentence, const std::string& graph)
{
    Event e;
    e.kind = EventKind::Stage;
    e.graph = graph;
    e.name = name;
    e.sentence = std::move(sentence);
    say(std::move(e));
}

void Recorder::fail(const base::Error& error)
{
    Event e;
    e.kind = EventKind::Error;
    e.name = base::exceptionName(error.code);
    e.sentence = message("{0}: {1}", e.name, error.text());
    e.fields = {{"type", ir::Argument(e.name)}};
    say(std::move(e));
    m_recording->failure = Failure{base::exceptionName(error.code), error.text()};
}

void Recorder::edit(Edit edit)
{
    if (m_current < 0) {
        Event e;
        e.kind = EventKind::Note;
        e.sentence = message("the graph was changed before the run began");
        say(std::move(e));
    }
    at(m_current).edits.push_back(std::move(edit));
}

void Recorder::snapshot(const ir::GraphModule& module)
{
    for (const auto& [name, attribute] : module.attributes())
        attributeChanged(module, name, &attribute.value);
    for (const ir::Node* n = module.graph().first(); n; n = n->next()) {
        edit(NodeAdded{module.graph().path(),
                       {n->id(), n->name(), n->op(), n->target(), n->args(), n->kwargs(), n->metaPtr()},
                       ir::kNoNode});
        if (n->annotation())
            annotationChanged(module.graph(), *n, nullptr);
    }
    for (const auto& [target, sub] : module.subgraphs())
        snapshot(*sub);
}

std::int64_t Recorder::instanceOf(const ir::Module* module)
{
    return m_instances.try_emplace(module, static_cast<std::int64_t>(m_instances.size())).first->second;
}

RecordingPtr Recorder::publish()
{
    while (!m_open.empty())
        close(m_open.back());
    return std::move(m_recording);
}

void Recorder::nodeAdded(const ir::Graph& graph, const ir::Node& node)
{
    edit(NodeAdded{graph.path(),
                   {node.id(), node.name(), node.op(), node.target(), node.args(), node.kwargs(), node.metaPtr()},
                   node.next() ? node.next()->id() : ir::kNoNode});
}

void Recorder::nodeErased(const ir::Graph& graph, const ir::Node& node)
{
    edit(NodeErased{graph.path(), node.id()});
}

void Recorder::nodeMoved(const ir::Graph& graph, const ir::Node& node)
{
    edit(NodeMoved{graph.path(), node.id(), node.next() ? node.next()->id() : ir::kNoNode});
}

void Recorder::inputsChanged(const ir::Graph& graph, const ir::Node& node)
{
    edit(InputsChanged{graph.path(), node.id(), node.args(), node.kwargs()});
}

void Recorder::targetChanged(const ir::Graph& graph, const ir::Node& node)
{
    edit(TargetChanged{graph.path(), node.id(), node.target()});
}

void Recorder::metaChanged(const ir::Graph& graph, const ir::Node& node)
{
    edit(MetaChanged{graph.path(), node.id(), node.metaPtr()});
}

void Recorder::nameChanged(const ir::Graph& graph, const ir::Node& node)
{
    edit(NameChanged{graph.path(), node.id(), node.name()});
}

void Recorder::annotationChanged(const ir::Graph& graph, const ir::Node& node, const ir::AnnotationPtr& /*before*/)
{
    edit(AnnotationChanged{graph.path(), node.id(), node.annotation()});
}

void Recorder::attributeChanged(const ir::GraphModule& module, const std::string& name, const ir::Tensor* value)
{
    AttributeChanged change;
    change.graph = module.graph().path();
    change.name = name;
    change.present = value != nullptr;
    if (value) {
        if (const ir::Attribute* attribute = module.attribute(name))
            change.kind = attribute->kind;
        change.dtype = value->dtype();
        change.shape = value->shape();
        change.value = *value;
    }
    edit(std::move(change));
}

void Recorder::moduleChanged(const ir::GraphModule& owner, const std::string& target, const ir::Module* module)
{
    const auto* observer = dynamic_cast<const quant::Observer*>(module);
    edit(ModuleChanged{owner.graph().path(), target,
                       observer ? std::make_shared<const ObserverInfo>(describeObserver(*observer, instanceOf(module)))
                                : nullptr});
}

ObserverInfo describeObserver(const quant::Observer& observer, std::int64_t instance)
{
    ObserverInfo info;
    info.instance = instance;
    info.type = observer.typeName();
    info.observerEnabled = observer.observerEnabled();
    info.fakeQuantEnabled = observer.fakeQuantEnabled();
    info.settings = observer.settings();
    if (const quant::Observer* inner = observer.inner()) {
        info.inner = inner->typeName();
        info.settings = inner->settings();
    }
    return info;
}

} // namespace gb::trace
