// What a speaker says at each frame of a sequence, as Markdown: what happened, and why what is shown has no label.
//
// Thread: any.
#pragma once

#include "base/progress.h"
#include "export/frames.h"
#include "picture/picture.h"

#include <QByteArray>

namespace gb::views {

/// A section a frame. Of a stage: the events that made it, and each node of `pictures` (one a frame) whose reason
/// belongs to it. Of a step: its sentence, and the reasons of what it touched. Errors: as explain::report.
base::Result<QByteArray> speakerNotes(const trace::RecordingPtr& recording, const std::vector<Frame>& frames,
                                      const std::vector<PicturePtr>& pictures, const base::Work& work = {});

} // namespace gb::views
