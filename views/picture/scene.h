// One place per node over a whole run: the union of the graphs at all stages, laid out once; and pictures of it.
//
// A Scene holds for one graph of a recording (the top one, or a sub-graph) every node that a stage or a pass left
// behind. Nodes keep their place in all stages. Each edge that ever carries an observer has a reserved slot; the
// observer, then its q/dq pairs, stand there. A folded weight takes the place of the weight that it was.
//
// Thread: both functions run on any thread (fonts need a QGuiApplication); a Scene is immutable.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "picture/picture.h"
#include "trace/replay.h"

#include <memory>
#include <string>

namespace gb::views {

class Scene;
using ScenePtr = std::shared_ptr<const Scene>;

/// Replays the recording, unites the graphs at `path`, measures and lays out. Errors: NotFound for a path that no
/// moment has, Cancelled, and what Replay and layout() say.
base::Result<ScenePtr> makeScene(trace::RecordingPtr recording, const std::string& path = {}, base::Work work = {});

struct PictureOptions {
    bool ghosts = true; ///< faint outlines of what vanished
    bool labels = true; ///< label lines, from the annotate pass on
    /// False: the recording holds no annotations (its labels are "?").
    bool annotationsRecorded = true;
};

/// The graph at `moment`, which is the moment of event `event` of the scene's recording. A node that the scene does not
/// know stands in a column at the right.
PicturePtr makePicture(const Scene& scene, const trace::Moment& moment, int event, const PictureOptions& options = {});

/// Paths of the recording's graphs at a moment, the top one ("") first.
std::vector<std::string> graphPaths(const trace::Moment& moment);

} // namespace gb::views
