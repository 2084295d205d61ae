// Widgets on the offscreen screen with what they need around them: a canvas with its camera, panes with their session.
#pragma once

#include "panes/pane_area.h"
#include "sample_run.h"

namespace gb::test {

/// What a stage of a run shows.
inline views::PicturePtr pictureAt(const views::ScenePtr& scene, const trace::RecordingPtr& recording,
                                   const char* stage, const views::ContentOptions& options = {})
{
    return views::makePicture(*scene, *momentAt(recording, stage), recording->stageEvent(stage), options);
}

struct CanvasSetUp {
    views::Camera camera;
    views::Selection selection;
    views::GraphCanvas canvas{&camera, &selection};

    explicit CanvasSetUp(const views::PicturePtr& picture, QSize size = {800, 600})
    {
        canvas.resize(size);
        canvas.setPicture(picture);
        canvas.fitAll();
    }
};

/// Panes over a run, shown.
struct PanesSetUp {
    views::Session session;
    views::Selection selection;
    views::PaneArea area{&session, &selection};

    PanesSetUp(const trace::RecordingPtr& recording, const views::ScenePtr& scene, const char* stage,
               QSize size = {1200, 800})
    {
        session.setRecording(recording, QString::fromLatin1(stage));
        area.resize(size);
        area.setScene(scene);
        area.show();
        area.showStart();
    }

    views::GraphCanvas& canvas(int pane) { return *area.pane(pane)->canvas(); }
};

} // namespace gb::test
