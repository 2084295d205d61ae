// The recording as explain looks at it: each graph with its labels, and the events by node.
//
// Internal to explain. Thread: values.
#pragma once

#include "explain/explain.h"
#include "trace/replay.h"

#include <map>
#include <unordered_map>

namespace gb::explain {

struct GraphView {
    std::string path;
    std::shared_ptr<const trace::GraphMoment> moment; ///< where its labels are complete
    bool entered = false;                             ///< the quantizer was called for it
};

struct RunView {
    trace::RecordingPtr recording;
    std::vector<GraphView> graphs;                             ///< by path, the top one first
    bool annotated = false;                                    ///< the top graph's annotate came to its end
    std::vector<int> rules;                                    ///< indices of rule events
    std::unordered_map<ir::NodeId, std::vector<int>> attempts; ///< attempt events by each node of their chain
    std::unordered_map<ir::NodeId, std::vector<int>> matches;
    std::unordered_map<ir::NodeId, std::vector<int>> writes; ///< annotate events
    trace::MomentPtr prepared;                               ///< null where the run did not get there
    trace::MomentPtr calibrated;
    trace::MomentPtr converted;
    /// The name of a node, in whichever graph it is.
    [[nodiscard]] std::string nameOf(ir::NodeId id) const;
    /// The node where its graph's labels are complete, or null.
    [[nodiscard]] const ir::Node* find(ir::NodeId id) const;
    [[nodiscard]] const trace::Event& event(int index) const
    {
        return recording->events[static_cast<std::size_t>(index)];
    }
};

base::Result<RunView> viewOf(const trace::RecordingPtr& recording);

/// A position of an event's field ([node] or [upstream, consumer]), or one of kNoNode.
ir::Position positionOf(const trace::Event& event, std::string_view field);
/// "relu" or "relu -> conv2d"
std::string positionText(const RunView& run, ir::Position position);
/// "a, b and c", at most `most` of them: "a, b and 12 more"
std::string listText(const std::vector<std::string>& names, std::size_t most = 6);

/// An entry for a labelled node or its observer, without a sentence.
NodeReason reasonOf(const RunView& run, ir::NodeId id, const std::string& graph, std::string code);
/// The annotation says something: an entry, an output, or the mark.
bool isLabelled(const ir::Node& node);
/// A text list field ("targets", "slots").
std::vector<std::string> texts(const trace::Event& event, std::string_view field);

/// The nodes without a label, compute ops apart, and the summary's counts.
void addUnlabelled(const RunView& run, const quantizers::Recipe& recipe, Answer& answer);
/// Labels without an observer of their own.
void addDropped(const RunView& run, Answer& answer);
/// Observers without q/dq.
void addUnconverted(const RunView& run, Answer& answer);
void addSettings(const RunView& run, const quantizers::Recipe& recipe, Answer& answer);
/// Warnings that belong to no single unlabelled node: errors, notes, labels that were written twice.
void addFindings(const RunView& run, Answer& answer);
struct Coverage;
/// What is wrong with observers, labels and the converted graph.
void addProblems(const RunView& run, const Coverage& coverage, Answer& answer);

} // namespace gb::explain
