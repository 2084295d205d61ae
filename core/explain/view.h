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
    /// The name of a node, in whichever graph it is.
    [[nodiscard]] std::string nameOf(ir::NodeId id) const;
    [[nodiscard]] const trace::Event& event(int index) const
    {
        return recording->events[static_cast<std::size_t>(index)];
    }
};

base::Result<RunView> viewOf(const trace::RecordingPtr& recording);

/// The annotation says something: an entry, an output, or the mark.
bool isLabelled(const ir::Node& node);
/// A text list field ("targets", "slots").
std::vector<std::string> texts(const trace::Event& event, std::string_view field);

/// The compute ops without a label, and the summary's counts.
void addUnlabelled(const RunView& run, Answer& answer);
/// Labels without an observer of their own, observers without q/dq.
void addDropped(const RunView& run, Answer& answer);
void addSettings(const RunView& run, const quantizers::Recipe& recipe, Answer& answer);
/// Warnings that belong to no single unlabelled node: errors, notes, labels that were written twice.
void addFindings(const RunView& run, Answer& answer);

} // namespace gb::explain
