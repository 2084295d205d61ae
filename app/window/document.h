// What is to be opened or run, and what comes of it. Everything here runs off the UI thread.
//
// Thread: openDocument on any thread; the rest are values.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "cli/flow.h"
#include "numbers/material.h"
#include "picture/scene.h"
#include "trace/recording.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace gb::app {

struct Request {
    QString path;   ///< a .pt2, or a recording
    QString recipe; ///< of a .pt2
    QString inputs; ///< as io/data_source.h; empty: the sample inputs in the .pt2
    bool qat = false;
    QString check = {};     ///< a second set, to measure errors on; empty: none
    QString calibrate = {}; ///< positions of the batches that are run ("0, 2, 2"), or "none"; empty: all
    int imageHeight = 0;    ///< of a folder of images; 0: what the model takes
    int imageWidth = 0;
    std::vector<double> imageMean = {}; ///< as io::ImageSettings
    std::vector<double> imageDeviation = {};
};

/// A run that is complete: nothing of it changes any more.
struct Document {
    Request request;
    trace::RecordingPtr recording;
    std::shared_ptr<trace::Replay> replay; ///< of the recording, gone over once: the session's from then on
    views::ScenePtr scene;                 ///< of the top graph
    numbers::MaterialPtr material;         ///< what figures are worked out from; null for a recording from a file
    QStringList notes; ///< what the user should know: "calibrated on the sample inputs in the file", ...
};

/// True when the path looks like a model (.pt2) rather than a recording.
bool isModel(const QString& path);

/// What the flow is run with for a request.
cli::FlowOptions flowOptions(const Request& request);

/// Loads, runs and lays out. A run that torchao refuses is a document too: its recording ends with the error. Errors:
/// what cannot be read or is not fit to run, and Cancelled.
base::Result<Document> openDocument(const Request& request, const base::Work& work);

} // namespace gb::app
