// What a Scene holds; for scene.cpp and make_picture.cpp only.
//
// Thread: an immutable value once made.
#pragma once

#include "layout/arrangement.h"
#include "layout/union_graph.h"
#include "picture/measures.h"
#include "picture/node_text.h"
#include "picture/scene.h"
#include "picture/sharing.h"

#include <set>

namespace gb::views {

/// What is kept of a node for the time after it is gone.
struct Remembered {
    QString name;
    QString target;
    NodeRole role = NodeRole::Op;
    Form form = Form::Box;
    int born = 0; ///< index of the first moment's event that showed it
};

/// A moment whose nodes have a place.
struct SceneMoment {
    int event = 0;
    std::shared_ptr<const trace::GraphMoment> facts;
};

class Scene {
public:
    Scene()
        : measures(*this)
    {
    }
    trace::RecordingPtr recording;
    std::string path;
    std::vector<SceneMoment> moments;
    UnionGraph unionGraph;
    Tucked tucked;
    ModuleTree tree;
    Measures measures;
    mutable LayoutCache layouts;
    ArrangementPtr first; ///< how it is folded at first
    Sharing sharing;
    int labelsFrom = 0;          ///< event from which label lines are shown
    std::set<ir::NodeId> judged; ///< nodes of the graph that the quantizer left
    std::unordered_map<ir::NodeId, Remembered> remembered;

    [[nodiscard]] bool showsLabels(int event) const { return event >= labelsFrom; }
    [[nodiscard]] std::vector<ir::NodeId> sameCell(ir::NodeId id) const;
    [[nodiscard]] NodeContext context(const trace::GraphMoment& facts, const ir::Node& node, int event,
                                      const ContentOptions& options) const;
};

} // namespace gb::views
