// What is drawn of one graph at one moment, as pure data: the display list.
//
// Made off the UI thread by makePicture (scene.h), painted by paint (painter.h) on a screen, into SVG, PDF or PNG, and
// read by the canvas for hit tests, keyboard walks and accessible names. All rectangles are in scene pixels at 100 %, y
// down; texts are measured and elided already, with the whole text kept for tooltips.
//
// Thread: an immutable value once made.
#pragma once

#include "picture/label_text.h"
#include "picture/overlay.h"
#include "theme/theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gb::views {

/// How much is shown at a zoom: below 35 % blocks, to 60 % chips, to 100 % short labels, from there everything.
enum class Detail : unsigned char { Blocks, Chips, Brief, Full };
Detail detailAt(double zoom);

/// The form is the second cue of a role.
enum class Form : unsigned char { Box, Stadium, Narrowing, Widening, Folded };

enum class Tone : unsigned char { Normal, Muted, None, Warning };

/// One line of text with its place. The runs fit into rect.
struct TextItem {
    QRectF rect;
    Runs runs;
    FontRole font = FontRole::NodeText;
    Tone tone = Tone::Normal;
    double scale = 1;            ///< of the font: less detail is shown larger, so that it stays readable
    Detail from = Detail::Chips; ///< shown at this detail and above, ...
    Detail to = Detail::Full;    ///< ... up to this one
    QString whole;               ///< the text before it was elided; empty where nothing was
    bool italic = false;
    bool centred = false;
};

/// The line below a node for one input edge, or for its output.
struct LabelItem {
    ir::Position position; ///< (upstream, consumer), or the node's output
    LabelKind kind = LabelKind::Absent;
    GroupInfo group;
    QRectF rect;
    std::vector<TextItem> texts; ///< one a detail
    QString chip;
    QRectF chipRect;
    QString tooltip; ///< "input x: int8, affine, per tensor, histogram observer, shared group 3 with 2 others"
};

/// Modules have node numbers of their own, above those that a program gives its nodes, so that they are selected,
/// found and walked to as nodes are.
inline constexpr ir::NodeId kFirstGroupId = 0xF0000000;
constexpr ir::NodeId groupId(int group)
{
    return kFirstGroupId + static_cast<ir::NodeId>(group);
}
/// The group of such a number, or -1.
constexpr int groupOfId(ir::NodeId id)
{
    return id >= kFirstGroupId && id != ir::kNoNode ? static_cast<int>(id - kFirstGroupId) : -1;
}

/// Held against an earlier moment.
enum class Change : unsigned char {
    None,
    Added,
    Changed, ///< its label or its inputs
    Removed, ///< a ghost that was there
};

enum class Container : unsigned char {
    No,     ///< a node of the graph
    Folded, ///< a module in one box
    Open,   ///< a module's frame: `box` is the frame, `strip` its title
};

struct NodeItem {
    ir::NodeId id = ir::kNoNode;
    Container container = Container::No;
    int depth = 0; ///< of a module: how deep it lies
    QString name;
    NodeRole role = NodeRole::Op;
    Form form = Form::Box;
    bool ghost = false;   ///< was there, is gone
    bool hatched = false; ///< not annotated
    bool dashed = false;  ///< an observer that never ran
    bool doubled = false; ///< double border (observers)
    bool fresh = false;   ///< touched by the current event
    Change change = Change::None;
    QRectF box;
    QRectF strip; ///< behind the label lines, flush below the box; empty where there are none
    std::vector<TextItem> texts;
    std::vector<LabelItem> labels;
    QString badge; ///< "why?"
    QRectF badgeRect;
    std::vector<float> sparkline; ///< heights 0..1; empty where there is no histogram
    QRectF sparklineRect;
    int group = -1; ///< sharing group of an observer
    QString tooltip;
    QString accessible;

    std::optional<double> overlay; ///< 0 to 1 along the colour bar
    QString overlayText;           ///< its value with the unit
    int module = 0;                ///< the innermost group that it is in, as shown; of a module its parent

    [[nodiscard]] QRectF area() const { return box.united(strip); }
    /// Where a click means it: of a frame the title alone.
    [[nodiscard]] QRectF reach() const { return container == Container::Open ? strip : area(); }
};

struct EdgeItem {
    ir::NodeId from = ir::kNoNode;
    ir::NodeId to = ir::kNoNode;
    int argument = 0;   ///< which node argument of `to` this is, counted through args and kwargs
    ir::Position label; ///< the label that governs it; consumer is kNoNode where there is none
    LabelKind kind = LabelKind::Absent;
    bool plain = true;          ///< drawn without a label style (no labels at this stage)
    bool intoSide = false;      ///< ends at the side of a box (scale and zero point of a q/dq)
    int module = 0;             ///< the innermost module, as shown, that holds both ends
    int values = 1;             ///< arguments that this line stands for (into a folded module)
    std::vector<QPointF> curve; ///< 1 + 3n points of cubic pieces
    QRectF bounds;
    QString tooltip;
};

struct Picture {
    QString graph; ///< path of the graph; empty for the top one
    int event = -1;
    QRectF bounds;               ///< of everything, with a margin; the same at all moments of one scene
    std::vector<NodeItem> nodes; ///< modules, outer ones first; nodes in graph order; ghosts
    std::vector<EdgeItem> edges;
    std::vector<ir::NodeId> touched;                   ///< of the current event, as far as they are drawn
    OverlayPtr overlay;                                ///< null where none is shown
    QString note;                                      ///< of the layout; may be empty
    std::unordered_map<ir::NodeId, std::size_t> index; ///< node number -> place in nodes

    [[nodiscard]] const NodeItem* find(ir::NodeId id) const
    {
        const auto found = index.find(id);
        return found == index.end() ? nullptr : &nodes[found->second];
    }
};
using PicturePtr = std::shared_ptr<const Picture>;

} // namespace gb::views
