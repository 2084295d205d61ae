// What one pane is to show, made from a moment off the UI thread: the picture, the grid to find things in it, and a
// line that sums the graph up.
//
// The newest wish wins: an older one that is still being made is stopped. A picture of a few hundred boxes is made at
// once, since that takes less than a frame.
//
// Thread: draw() on any; PanePicture in the UI thread.
#pragma once

#include "canvas/spatial_grid.h"
#include "jobs/job_runner.h"
#include "picture/scene.h"

#include <QObject>

#include <memory>
#include <stop_token>
#include <string>

namespace gb::views {

struct PictureRequest {
    ScenePtr scene;
    trace::MomentPtr moment;
    std::string graph; ///< path of the scene's graph, which the moment has
    int event = -1;
    ContentOptions options;                      ///< with the arrangement; its overlay is taken where there is one
    OverlayKind overlayKind = OverlayKind::None; ///< else numbers that the moment holds
    engine::NodeTimesPtr times = {};             ///< for the overlay of times
};

struct DrawnPicture {
    PicturePtr picture; ///< null where it was stopped
    std::shared_ptr<const SpatialGrid> grid;
    QString summary; ///< "62 nodes · 9 observers"
};

DrawnPicture draw(PictureRequest request, const std::stop_token& stop = {});

class PanePicture final : public QObject {
    Q_OBJECT
public:
    explicit PanePicture(QObject* parent = nullptr);

    /// `made` follows: within the call for a small picture, else later.
    void want(PictureRequest request);
    void cancel() { m_jobs.cancel(); }
    /// Lets go of a picture that is shown no more: a large one takes longer to free than a frame.
    void discard(PicturePtr picture);
    [[nodiscard]] bool busy() const { return m_jobs.running(); }

Q_SIGNALS:
    void made(const gb::views::DrawnPicture& drawn);

private:
    static constexpr std::size_t kAtOnce = 150; ///< boxes

    JobRunner m_jobs;
    JobRunner m_discarded;
};

} // namespace gb::views
