#include "diagrams.h"

#include "export/export_diagram.h"

#include <QFileInfo>
#include <QGuiApplication>

namespace gb::app {

base::Result<std::vector<std::string>> exportDiagrams(const cli::ExportRequest& request, const base::Work& work)
{
    // painting needs fonts, and these an application, but no screen
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "greenbox";
    char* argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);
    const QFileInfo out(QString::fromStdString(request.out));
    const auto format = views::diagramFormat(out.fileName());
    if (!format)
        return base::Error{base::ErrorCode::Usage, "an ending .svg, .pdf, .png or .dot expected", request.out};
    GB_ASSIGN(const auto files,
              views::exportDiagram(request.recording, request.stages, *format, out.fileName(), {}, work));
    GB_ASSIGN(const auto paths, views::writeDiagrams(files, out.path()));
    std::vector<std::string> written;
    for (const QString& path : paths)
        written.push_back(path.toStdString());
    return written;
}

} // namespace gb::app
