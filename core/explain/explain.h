// Why a node has no label, a label no observer, an observer no q/dq; and which settings reached nothing.
//
// All of it is read from the recording: which rules looked at an op, which condition failed, what prepare dropped. The
// codes and their verdicts are those of reasons.md. Nothing is printed here; sentences are messages, so that the window
// can translate them. The same recording gives the same answer.
//
// Thread: pure function.
#pragma once

#include "base/message.h"
#include "base/result.h"
#include "quantizers/recipe.h"
#include "trace/recording.h"

#include <optional>
#include <string>
#include <vector>

namespace gb::explain {

/// A rule that looked at the node and left it alone.
struct TriedRule {
    std::string rule;
    std::string quantizer;
    std::string failed; ///< "has_other_users: found 2 users of conv2d, one user expected"
    int event = -1;     ///< index of the attempt
    std::string place;  ///< of the quantizer in a composable one: "" or "0.1"
    std::string code;   ///< what this refusal alone would give
};

/// A fact that a reason rests on, with the values found: "conv2d has 2 users: relu and add".
struct Evidence {
    base::Message sentence;
    int event = -1; ///< where the recording says it; -1 where the graph does
};

struct NodeReason {
    std::string node;
    std::string graph; ///< path of the sub-graph, empty for the top graph
    std::string target;
    ir::NodeId id = ir::kNoNode;
    std::string code; ///< "R5", "O2", "C1"
    base::Message sentence;
    std::vector<TriedRule> rules;       ///< in the order in which they looked
    std::optional<std::string> nearest; ///< the rule that came closest
    base::Message toChange;             ///< empty where there is nothing to change
    std::vector<Evidence> evidence;
    ir::Position position; ///< O and C codes: the edge or output that the observer would be for
    int event = -1;        ///< where it was decided; -1 where no single event did
};

struct SettingReason {
    std::string setting; ///< "module_name net.conv1"; in a composed recipe "quantizers[0] module_name net.conv1"
    bool read = true;    ///< some rule ran with it
    std::vector<std::string> reached;   ///< nodes that it labelled, in graph order
    std::optional<std::string> nearest; ///< the name in the model that looks most like it, where it reached nothing
    base::Message sentence;
};

enum class Severity : unsigned char { Error, Warning, Note };

struct Finding {
    std::string code; ///< may be empty
    Severity severity = Severity::Note;
    std::string node; ///< may be empty
    base::Message sentence;
    int event = -1; ///< where it happened, or from where it is best looked at
    ir::NodeId id = ir::kNoNode;
    std::string kind = {}; ///< what sort of problem, in a word or two: "scale at eps", "cycle of shared specs"
};

struct Summary {
    int ops = 0; ///< compute ops of all graphs
    int labelled = 0;
    int unlabelled = 0; ///< with those in sub-graphs that were not entered
    int observers = 0;  ///< observer nodes after prepare
    int inSubgraphsNotEntered = 0;
};

struct Answer {
    Summary summary;
    std::vector<NodeReason> nodes; ///< dropped labels (O, C) first, then compute ops without a label (R); by graph
    /// Every other node without a label (placeholders, attributes, outputs, getitem, sizes): R codes too.
    std::vector<NodeReason> others;
    std::vector<SettingReason> settings; ///< empty where the quantizer did not come to its end
    std::vector<Finding> findings;
};

/// `recipe` is the one that the recording was made with. Error (Format): the recording's edits do not fit its graphs.
base::Result<Answer> explain(const trace::RecordingPtr& recording, const quantizers::Recipe& recipe);

} // namespace gb::explain
