#include "window/document.h"

#include "io/recording.h"
#include "window/image_reader.h"

#include <QFileInfo>

namespace gb::app {
namespace {

base::Status runModel(const Request& request, Document& out, const base::Work& work)
{
    const cli::FlowOptions options = flowOptions(request);
    GB_ASSIGN(cli::FlowRun run, cli::runFlow(options, work));
    out.notes << QStringLiteral("calibration batches: ") + QString::fromStdString(run.calibratedOn);
    const auto& error = run.result.error;
    // what torchao refuses is recorded and shown with its stages; a stop by the user or a wrong option is no document
    if (error && (error->code == base::ErrorCode::Cancelled || error->code == base::ErrorCode::Usage))
        return *error;
    out.recording = run.result.recording;
    out.material = run.material;
    return {};
}

base::Result<trace::RecordingPtr> readFile(const Request& request, QStringList& notes)
{
    GB_ASSIGN(io::ReadRecording read, io::readRecording(request.path.toStdString()));
    for (const std::string& note : read.notes)
        notes << QString::fromStdString(note);
    return read.recording;
}

} // namespace

cli::FlowOptions flowOptions(const Request& request)
{
    cli::FlowOptions out;
    out.model = request.path.toStdString();
    out.recipe = request.recipe.toStdString();
    out.inputs = request.inputs.toStdString();
    out.mode = request.qat ? "qat" : "ptq";
    out.check = request.check.toStdString();
    out.calibrate = request.calibrate.toStdString();
    if (request.imageHeight > 0 && request.imageWidth > 0)
        out.imageSize = QStringLiteral("%1x%2").arg(request.imageHeight).arg(request.imageWidth).toStdString();
    out.imageMean = request.imageMean;
    out.imageDeviation = request.imageDeviation;
    out.readImage = readImage;
    out.keepsMaterial = true;
    return out;
}

bool isModel(const QString& path)
{
    return path.endsWith(QStringLiteral(".pt2"), Qt::CaseInsensitive);
}

base::Result<Document> openDocument(const Request& request, const base::Work& work)
{
    Document out;
    out.request = request;
    if (isModel(request.path)) {
        GB_TRY(runModel(request, out, work));
    } else {
        work.report(0, "read");
        GB_ASSIGN(out.recording, readFile(request, out.notes));
    }
    // the first way through a recording takes longest: it is gone before anybody waits for a step
    out.replay = std::make_shared<trace::Replay>(out.recording);
    GB_TRY(out.replay->at(static_cast<int>(out.recording->events.size()) - 1));
    work.report(950, "lay out");
    GB_ASSIGN(out.scene, views::makeScene(out.recording, {}, work));
    return out;
}

} // namespace gb::app
