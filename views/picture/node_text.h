// What a node says: its role and form, the lines in its box and the label lines below it. Not measured yet.
//
// Thread: pure functions.
#pragma once

#include "picture/picture.h"
#include "picture/sharing.h"
#include "picture/text_measure.h"
#include "trace/replay.h"

#include <functional>
#include <vector>

namespace gb::views {

struct NodeLine {
    Runs runs;
    TextStyle style;
    Tone tone = Tone::Normal;
    Detail from = Detail::Full;
    Detail to = Detail::Full;
};

struct LabelLine {
    ir::Position position;
    QString slot; ///< "x", "x (twice)", "output"
    LabelText text;
    GroupInfo group;
    QString tooltip; ///< "input x: int8, ..."
};

struct NodeText {
    NodeRole role = NodeRole::Op;
    Form form = Form::Box;
    bool small = false; ///< constants: less room
    bool hatched = false;
    bool dashed = false;
    bool doubled = false;
    bool sparkRow = false; ///< keeps a row for the histogram, there or not
    int group = -1;
    std::vector<NodeLine> lines;
    std::vector<LabelLine> labels;
    QString badge;
    std::vector<float> sparkline;
    QString tooltip;
    QString accessible;
};

/// What a node's text needs to know of its surroundings.
struct NodeContext {
    const trace::GraphMoment& facts;
    const Sharing& sharing;
    bool labels = false;  ///< label lines are shown at this moment
    bool recorded = true; ///< annotations are in the recording
    bool judged = false;  ///< this node was there when the quantizer was done: no label means "not annotated"
    /// The node ids that stand where this one stands over the run (a folded weight answers for the float one).
    std::function<std::vector<ir::NodeId>(ir::NodeId)> sameCell;
};

/// True for a node that the quantizer said something about.
bool hasLabel(const ir::Node& node);
/// getitem, and arithmetic on sizes: computes no tensor.
bool isBuiltin(const ir::Node& node);

NodeText nodeText(const ir::Node& node, const NodeContext& context);

/// A node that is gone: name and target only.
NodeText ghostText(const QString& name, const QString& target, NodeRole role, Form form);

} // namespace gb::views
