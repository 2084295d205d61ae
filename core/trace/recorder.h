// Writes a recording: passes open scopes and say what they do, the graph says what was edited.
//
//     auto rule = recorder.open({.kind = EventKind::Rule, .name = "conv", .sentence = message("rule conv")});
//     graph.setAnnotation(...);   // lands in the innermost open event
//     recorder.say({.kind = EventKind::Attempt, ...});   // an event without a scope
//
// Edits go to the event that was opened or said last and is still open: an edit made after say() and before the next
// event belongs to that event ("announce, then do").
//
// Thread: the one that runs the passes.
#pragma once

#include "trace/recording.h"

#include <unordered_map>

namespace gb::trace {

class Recorder;

/// Closes its event when it goes. Move-only.
class Scope {
public:
    Scope(Recorder* recorder, int index)
        : m_recorder(recorder)
        , m_index(index)
    {
    }
    Scope(Scope&& other) noexcept
        : m_recorder(std::exchange(other.m_recorder, nullptr))
        , m_index(other.m_index)
    {
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    Scope& operator=(Scope&&) = delete;
    ~Scope() { close(); }
    void close();
    [[nodiscard]] int index() const { return m_index; }

private:
    Recorder* m_recorder;
    int m_index;
};

class Recorder final : public ir::GraphListener {
public:
    explicit Recorder(Header header);

    /// Opens a scope. parent and last of the event are filled in here.
    [[nodiscard]] Scope open(Event event);
    /// An event without a scope; edits that follow land in it. Returns its index.
    int say(Event event);
    /// Marks a stage as complete.
    /// `graph`: the path of a sub-graph that gets there later than the graph around it.
    void stage(const std::string& name, base::Message sentence, const std::string& graph = {});
    /// The run ends with an error: says an error event and keeps the failure.
    void fail(const base::Error& error);
    /// Adds to the event at an index (a scope that learns something only at its end).
    Event& at(int index) { return m_recording->events[static_cast<std::size_t>(index)]; }
    /// Records graph and attributes of a module (and of its sub-graphs) as they are, as edits of the last event.
    void snapshot(const ir::GraphModule& module);
    /// The number of an observer object: the same object gives the same number, in order of first sight.
    std::int64_t instanceOf(const ir::Module* module);

    [[nodiscard]] const Recording& recording() const { return *m_recording; }
    /// Gives the recording away; the recorder is not used after it.
    [[nodiscard]] RecordingPtr publish();

    // GraphListener
    void nodeAdded(const ir::Graph& graph, const ir::Node& node) override;
    void nodeErased(const ir::Graph& graph, const ir::Node& node) override;
    void nodeMoved(const ir::Graph& graph, const ir::Node& node) override;
    void inputsChanged(const ir::Graph& graph, const ir::Node& node) override;
    void targetChanged(const ir::Graph& graph, const ir::Node& node) override;
    void metaChanged(const ir::Graph& graph, const ir::Node& node) override;
    void nameChanged(const ir::Graph& graph, const ir::Node& node) override;
    void annotationChanged(const ir::Graph& graph, const ir::Node& node, const ir::AnnotationPtr& before) override;
    void attributeChanged(const ir::GraphModule& module, const std::string& name, const ir::Tensor* value) override;
    void moduleChanged(const ir::GraphModule& owner, const std::string& target, const ir::Module* module) override;

private:
    friend class Scope;
    void close(int index);
    void edit(Edit edit);

    std::shared_ptr<Recording> m_recording;
    std::vector<int> m_open;
    int m_current = -1; ///< where edits go
    std::unordered_map<const ir::Module*, std::int64_t> m_instances;
};

/// What a dump and a view say about an observer module.
ObserverInfo describeObserver(const quant::Observer& observer, std::int64_t instance);

} // namespace gb::trace
