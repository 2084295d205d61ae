// What is to be opened or run, and what comes of it. Everything here runs off the UI thread.
//
// Thread: openDocument on any thread; the rest are values.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "numbers/material.h"
#include "picture/scene.h"
#include "trace/recording.h"

#include <QString>
#include <QStringList>

namespace gb::app {

struct Request {
    QString path;   ///< a .pt2, or a recording
    QString recipe; ///< of a .pt2
    QString inputs; ///< as io/data_source.h; empty: the sample inputs in the .pt2
    bool qat = false;
};

/// A run that is complete: nothing of it changes any more.
struct Document {
    Request request;
    trace::RecordingPtr recording;
    views::ScenePtr scene;         ///< of the top graph
    numbers::MaterialPtr material; ///< what figures are worked out from; null for a recording from a file
    QStringList notes;             ///< what the user should know: "calibrated on the sample inputs in the file", ...
};

/// True when the path looks like a model (.pt2) rather than a recording.
bool isModel(const QString& path);

/// Loads, runs and lays out. A run that torchao refuses is a document too: its recording ends with the error. Errors:
/// what cannot be read or is not fit to run, and Cancelled.
base::Result<Document> openDocument(const Request& request, const base::Work& work);

} // namespace gb::app
