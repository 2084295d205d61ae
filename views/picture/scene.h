// One place per node over a whole run: the union of the graphs at all stages, laid out once; and pictures of it.
//
// A Scene holds for one graph of a recording (the top one, or a sub-graph) every node that a stage or a pass left
// behind. Nodes keep their place in all stages. Each edge that ever carries an observer has a reserved slot; the
// observer, then its q/dq pairs, stand there. A folded weight takes the place of the weight that it was.
//
// Thread: all functions run on any thread (fonts need a QGuiApplication); a Scene is immutable.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "layout/arrangement.h"
#include "picture/picture.h"
#include "trace/replay.h"

#include <memory>
#include <stop_token>
#include <string>
#include <unordered_set>

namespace gb::views {

class Scene;
using ScenePtr = std::shared_ptr<const Scene>;

/// As many boxes are shown at first at most: modules are unfolded as long as they fit in.
inline constexpr std::size_t kFirstBoxes = 80;

struct SceneOptions {
    bool unfolded = false; ///< everything unfolded at first
    int onlyEvent = -1;    ///< a place for the nodes of this moment only: no room is kept for what comes and went
};

/// Replays the recording, unites the graphs at `path`, makes the module tree, and lays out what is shown at first.
/// Errors: NotFound for a path that no moment has, Cancelled, and what Replay and layout() say.
base::Result<ScenePtr> makeScene(trace::RecordingPtr recording, const std::string& path = {}, base::Work work = {},
                                 const SceneOptions& options = {});

/// The scene with other groups unfolded: lays out the levels that are new. Errors: Cancelled, and what layout() says.
base::Result<ArrangementPtr> arrange(const Scene& scene, const Folding& folding, base::Work work = {});
const ModuleTree& moduleTree(const Scene& scene);
/// How a scene is folded at first.
ArrangementPtr firstArrangement(const Scene& scene);
/// The innermost group of a node that was there at some stage; 0 for one that is not known.
int groupOf(const Scene& scene, ir::NodeId node);
/// How another scene of the same run is folded: modules of the same name are open alike.
Folding carriedOver(const Scene& from, const Folding& folding, const Scene& to);
/// `folding` with all groups around the node unfolded.
Folding unfoldedTo(const Scene& scene, ir::NodeId node, Folding folding);
/// `folding` without these nodes; a module stands for all that is in it.
Folding without(const Scene& scene, const std::unordered_set<ir::NodeId>& nodes, Folding folding);

struct ContentOptions {
    bool ghosts = true; ///< faint outlines of what vanished
    bool labels = true; ///< label lines, from the annotate pass on
    /// False: the recording holds no annotations (its labels are "?").
    bool annotationsRecorded = true;
    ArrangementPtr arrangement; ///< null: the scene's first one
    OverlayPtr overlay;         ///< numbers beside the boxes; null for none
    trace::MomentPtr before;    ///< what changed since this moment is marked; null: nothing is
    std::stop_token stop = {};  ///< asked for: there is no picture
};

/// The graph at `moment`, which is the moment of event `event` of the scene's recording. A node that the scene does not
/// know stands in a column at the right. Null where it was stopped.
PicturePtr makePicture(const Scene& scene, const trace::Moment& moment, int event, const ContentOptions& options = {});

/// Paths of the recording's graphs at a moment, the top one ("") first.
std::vector<std::string> graphPaths(const trace::Moment& moment);

} // namespace gb::views
