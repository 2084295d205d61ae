// The events of a run: the one documented place of what a recording says (formats.md, section 4).
//
// A run is a list of events in the order in which things happened. Scopes (a stage, a pass, a rule, a batch) are events
// that other events lie in: `parent` is the scope's index, `last` the index of the last event inside it. Each event
// says in one sentence what happened, names the nodes that it touched, and holds the edits that it made to the graphs:
// the graph at any moment is what the edits up to there make (trace/replay.h).
//
// Fields by kind (name: value; nodes are NodeRef, lists Sequence):
//   load       model: text, torch: text, graphs: number of sub-graphs
//   stage      the name is exported, folded, annotated, prepared, calibrated or converted. It marks the moment at which
//              the stage is complete; it is no scope. Prepare enters loop bodies after the graph around them: a stage
//              event with a graph path says that this sub-graph reached `folded` or `annotated` only now.
//   pass       scope. name: fuse_conv_bn, fuse_linear_bn, transform_for_annotation, annotate, validate, prepare,
//              calibrate, convert, fold_conv_bn_qat, duplicate_dq, port_metadata, constant_fold, ...
//   rule       scope. name: the rule; quantizer: its kind, place: index path in a composable one ("" or "0.1"),
//              targets: list of ops that the rule looks at
//   attempt    a chain that a rule tried and refused. nodes: the chain; rule; condition: what failed, as an id
//              ("has_other_users"); found: what was there, expected: what the rule wants; code: reasons.md's code
//   match      scope. A chain that a rule took. nodes: the chain; rule; what it wrote are the annotate events inside
//   annotate   one annotation written. nodes: the node; rule, quantizer; slots: list of what changed ("input conv1",
//              "output", "annotated", "allow_implicit_sharing"); replaced: true when there was one before;
//              place, setting: as rule; chain: the nodes that matched
//   share      two positions joined in a group. a, b: [node] or [upstream, consumer]; how: explicit, same_tensor,
//              other_user
//   group      a sharing group is complete. group: number; members: list of positions
//   observer   an observer was created. group; observer: instance number; type; spec
//   insert     an observer node was inserted. nodes: [observer node, what it observes]; observer: instance number;
//              position: the label that asked for it
//   reuse      a label takes an observer that is there already. nodes: [consumer, observer node]; observer; why:
//              output, other_user; position: as insert
//   drop       a label that prepare leaves without observer. nodes; code: O1..O6; position: as insert
//   batch      scope. index; input: which arrays
//   observe    an observer saw a tensor (in a batch). nodes: [observer node]; low, high: its smallest and largest
//              finite value; nonfinite: how many others, where there are some; the record holds the state after it
//   qparams    scale and zero point were computed. nodes: [observer node]; the record holds them
//   rewrite    nodes replaced by others. nodes: all that were touched; name: the pass's own word for it
//   fold       a sub-graph became a constant. nodes; attribute: its name; bytes_before, bytes_after
//   compare    two outputs held against each other. what: text; largest, magnitude of the first: numbers; equal: bool
//   error      the run ends here with this sentence; type: torchao's exception name
//   note       anything else that a user should know
//
// Thread: plain values; a published event is not changed.
#pragma once

#include "base/message.h"
#include "ir/graph.h"
#include "quant/observer.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::trace {

enum class EventKind : std::uint8_t {
    Load,
    Stage,
    Pass,
    Rule,
    Attempt,
    Match,
    Annotate,
    Share,
    Group,
    Observer,
    Insert,
    Reuse,
    Drop,
    Batch,
    Observe,
    QParams,
    Rewrite,
    Fold,
    Compare,
    Error,
    Note,
};
/// "load", "stage", ...: the word in a recording file.
const char* name(EventKind kind);
std::optional<EventKind> eventKindFromName(std::string_view text);

/// What a node is, as far as an edit has to say it.
struct NodeRow {
    ir::NodeId id = ir::kNoNode;
    std::string name;
    ir::Op op = ir::Op::CallFunction;
    std::string target;
    std::vector<ir::Argument> args;
    std::vector<std::pair<std::string, ir::Argument>> kwargs;
    ir::NodeMetaPtr meta;
};

// The edits. `graph` is the path of the graph ("" for the top one).
struct NodeAdded {
    std::string graph;
    NodeRow row;
    ir::NodeId before = ir::kNoNode; ///< stands before this node; kNoNode: at the end
};
struct NodeErased {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
};
struct NodeMoved {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    ir::NodeId before = ir::kNoNode;
};
struct InputsChanged {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    std::vector<ir::Argument> args;
    std::vector<std::pair<std::string, ir::Argument>> kwargs;
};
struct TargetChanged {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    std::string target;
};
struct NameChanged {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    std::string name;
};
struct MetaChanged {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    ir::NodeMetaPtr meta;
};
struct AnnotationChanged {
    std::string graph;
    ir::NodeId id = ir::kNoNode;
    ir::AnnotationPtr annotation; ///< null: taken away
};
/// A parameter, buffer or constant. In memory the tensor is there; a recording file holds dtype, shape and digest.
struct AttributeChanged {
    std::string graph;
    std::string name;
    bool present = true; ///< false: erased
    ir::AttributeKind kind = ir::AttributeKind::Parameter;
    ir::DType dtype = ir::DType::Float32;
    ir::Shape shape;
    std::optional<ir::Tensor> value; ///< absent when read from a file
    std::string sha256;              ///< of the contiguous little-endian bytes; empty where not computed yet
};
/// What an observer is: one row of a dump's `observers` without what depends on the place in the graph.
struct ObserverInfo {
    std::int64_t instance = -1; ///< the same number = the same object (sharing)
    std::string type;           ///< "HistogramObserver", "FusedMovingAvgObsFakeQuantize"
    std::string inner;          ///< a fake quantize's observer; empty for an observer
    bool observerEnabled = true;
    bool fakeQuantEnabled = false;
    quant::ObserverSettings settings;
};
struct ModuleChanged {
    std::string graph;
    std::string target;                       ///< call_module target
    std::shared_ptr<const ObserverInfo> info; ///< null: taken away
};
using Edit = std::variant<NodeAdded, NodeErased, NodeMoved, InputsChanged, TargetChanged, MetaChanged,
                          AnnotationChanged, AttributeChanged, ModuleChanged, NameChanged>;

/// An observer's state at an event.
struct ObserverRecord {
    std::string graph;
    std::string target; ///< call_module target of the observer node
    quant::ObserverState state;
};

/// Where a rule stands in the quantizer's source: "_xnnpack_quantizer_utils.py", 321. Line 0: not known.
struct SourceLine {
    std::string file;
    int line = 0;
};

using Fields = std::vector<std::pair<std::string, ir::Argument>>;

struct Event {
    EventKind kind = EventKind::Note;
    int parent = -1; ///< index of the scope that it lies in
    int last = -1;   ///< index of the last event inside it; its own index for an event that is no scope
    std::string name;
    base::Message sentence;
    std::string graph; ///< path of the graph that its nodes are in
    std::vector<ir::NodeId> nodes;
    Fields fields;
    SourceLine source;
    std::vector<Edit> edits;
    std::shared_ptr<const ObserverRecord> record;

    /// A field's value, or null.
    [[nodiscard]] const ir::Argument* field(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const; ///< a text field, or ""
    /// True when the event changed a graph or an observer, ends a stage or the run, or holds outputs against each
    /// other: what stepping shows at first.
    [[nodiscard]] bool changesSomething() const;
};

} // namespace gb::trace
