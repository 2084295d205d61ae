#include "window/document.h"

#include "cli/flow.h"
#include "io/recording.h"
#include "window/image_reader.h"

#include <QFileInfo>

namespace gb::app {
namespace {

base::Status runModel(const Request& request, Document& out, const base::Work& work)
{
    cli::FlowOptions options;
    options.model = request.path.toStdString();
    options.recipe = request.recipe.toStdString();
    options.inputs = request.inputs.toStdString();
    options.mode = request.qat ? "qat" : "ptq";
    options.check = request.check.toStdString();
    options.readImage = readImage;
    options.keepsMaterial = true;
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
    work.report(950, "lay out");
    GB_ASSIGN(out.scene, views::makeScene(out.recording, {}, work));
    return out;
}

} // namespace gb::app
