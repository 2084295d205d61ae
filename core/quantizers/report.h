// How a rule says what it does: one RuleRun a rule and graph, one Match a chain that it takes.
//
//     RuleRun run(context, rule);
//     for (ir::Node* relu : run.candidates()) {
//         if (run.refusedAsMarked({relu, conv}) || run.refusedByFilter({relu, conv}))
//             continue;
//         Match match = run.take({relu, conv});
//         match.replace(conv, annotation);
//     }
//
// Every write goes through Match, which says an annotate event and then sets the annotation ("announce, then do", see
// trace/recorder.h). Every refusal is an attempt event with condition, found, expected and the code of reasons.md.
//
// Thread: the one that runs the passes.
#pragma once

#include "base/message.h"
#include "ir/graph.h"
#include "quantizers/filter.h"
#include "quantizers/quantizer.h"
#include "trace/recorder.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace gb::quantizers {

using Chain = std::vector<ir::Node*>;

/// Who wrote which annotation last, looked up in the recording (the newest annotate event on a node that marks it).
class Writers {
public:
    explicit Writers(const trace::Recorder& recorder)
        : m_recorder(recorder)
    {
    }
    /// Index of the event that marked the node as annotated, or -1 where the recording does not say.
    int markedBy(ir::NodeId node);

private:
    const trace::Recorder& m_recorder;
    std::size_t m_read = 0; ///< events up to here are in m_marked
    std::unordered_map<ir::NodeId, int> m_marked;
};

/// What all rules of one annotate() call share.
struct RuleContext {
    ir::GraphModule& model;
    trace::Recorder& recorder;
    Writers& writers;
    std::string quantizer; ///< its kind: "xnnpack"
    std::string place;     ///< in a composable quantizer
};

/// A rule, as far as its events name it.
struct RuleInfo {
    std::string name;                 ///< "conv_relu"
    std::vector<std::string> targets; ///< the ops at which a chain of it begins
    trace::SourceLine source;
};

/// Why a chain was refused.
struct Refusal {
    const char* condition; ///< an id: "has_other_users"
    const char* code;      ///< of reasons.md: "R6"
    std::string found;
    std::string expected;
    base::Message sentence;
};

class RuleRun;

/// A chain that a rule took. Its scope closes when this goes.
class Match {
public:
    Match(RuleRun& run, const Chain& chain);
    /// node.meta["quantization_annotation"] = annotation: another object, whatever was there.
    void replace(ir::Node* node, ir::Annotation annotation);
    /// annotate_input_qspec_map: edits the annotation that is there, or a new one.
    void setInput(ir::Node* node, const ir::Node* upstream, const ir::Spec& spec);
    /// annotate_output_qspec.
    void setOutput(ir::Node* node, const ir::Spec& spec);
    /// annotation.allow_implicit_sharing = allow, where the node has an annotation.
    void setImplicitSharing(ir::Node* node, bool allow);
    /// A field that a backend adds.
    void setExtra(ir::Node* node, const std::string& field, ir::Argument value);
    /// _mark_nodes_as_annotated: sets _annotated, puts an (unlabelled) annotation like `fresh` where there is none.
    void mark(const Chain& nodes, const ir::Annotation& fresh = {});

private:
    void write(ir::Node* node, ir::Annotation annotation, std::vector<std::string> slots, bool replaced);

    RuleRun& m_run;
    std::vector<ir::Argument> m_chain; ///< each label's line in a recording tells the chain that it came from
    trace::Scope m_scope;
};

class RuleRun {
public:
    RuleRun(RuleContext& context, RuleInfo info, const std::string& setting);

    [[nodiscard]] const RuleInfo& info() const { return m_info; }
    [[nodiscard]] ir::GraphModule& model() const { return m_context.model; }
    [[nodiscard]] ir::Graph& graph() const { return m_context.model.graph(); }
    /// The call_function nodes with one of the rule's targets, in graph order.
    [[nodiscard]] Chain candidates() const;

    /// Says an attempt: the chain was tried and refused.
    void refuse(const Chain& chain, Refusal refusal);
    /// _is_annotated(partition): true when a member is marked, and then says so (R5, with the rule that marked it).
    bool refusedAsMarked(const Chain& chain, const Chain& partition);
    /// True when the filter rejects a member, and then says which (R4).
    bool refusedByFilter(const Chain& chain, const Chain& partition, const Filter& filter);
    /// True when the node has more than one user, and then says so (R6).
    bool refusedByOtherUsers(const Chain& chain, const ir::Node* node);

    /// A fused rule began at `user`, whose first argument comes from none of the ops it fuses with: says so (R1).
    void refuseProducer(ir::Node* user, const ir::Node* producer, const std::vector<std::string>& wanted);

    [[nodiscard]] Match take(const Chain& chain) { return Match(*this, chain); }

private:
    friend class Match;
    [[nodiscard]] trace::Event event(trace::EventKind kind, const Chain& chain) const;

    RuleContext& m_context;
    RuleInfo m_info;
    std::string m_setting;
    trace::Scope m_scope;
};

/// node.args[index]: IndexError ("tuple index out of range" in Python) beyond the end.
base::Result<ir::Argument> argumentAt(const ir::Node& node, std::size_t index);
/// node.args[index] with `assert isinstance(..., Node)`: IndexError or AssertionError.
base::Result<ir::Node*> inputAt(const ir::Node& node, std::size_t index);
/// "conv2d, conv2d_1 and relu"
std::string nameList(const Chain& nodes);
/// "int8 per tensor affine -128..127 (HistogramObserver)", "shared with x -> cat", "none": a spec in few words.
std::string describe(const ir::Spec& spec, const ir::Graph& graph);

} // namespace gb::quantizers
