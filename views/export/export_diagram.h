// Diagrams for slides and papers: SVG, PDF, PNG and DOT of the graph at stages of a recording.
//
// The same recording and options give the same bytes. SVG keeps text as text, has one group a node whose id is the
// node's name, and neither clip paths nor filters nor style sheets. PDF embeds its fonts and has a page a stage.
//
// Thread: any; needs a QGuiApplication (the offscreen platform will do).
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "theme/theme.h"
#include "trace/recording.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gb::views {

enum class DiagramFormat : unsigned char { Svg, Pdf, Png, Dot };
/// By the file name's ending; nothing for another one.
std::optional<DiagramFormat> diagramFormat(const QString& fileName);
/// ".svg", ".pdf", ".png", ".dot"
QString suffix(DiagramFormat format);

struct DiagramOptions {
    ThemeKind theme = ThemeKind::Print;
    double scale = 2;       ///< PNG: pixels a scene pixel, 1 to 4
    bool background = true; ///< false: transparent
    bool ghosts = true;
    bool caption = true; ///< "conv_relu · xnnpack · annotated" above the graph
    std::string graph;   ///< path of a sub-graph; empty: the top one
};

struct DiagramFile {
    QString name; ///< "NAME-03-annotated.svg", or the given name where it is the only one
    QByteArray bytes;
};

/// The diagrams of the stages, in the given order. One stage, or a PDF: one file called `fileName`. Several: a file
/// each, with the stage's number among all stages of a run and its name before the ending. Errors: Usage for no stage
/// or a scale out of range, NotFound for a stage that the recording does not have (says which it has), Cancelled.
base::Result<std::vector<DiagramFile>> exportDiagram(trace::RecordingPtr recording,
                                                     const std::vector<std::string>& stages, DiagramFormat format,
                                                     const QString& fileName, const DiagramOptions& options = {},
                                                     base::Work work = {});

/// Writes the files into `folder`, each whole or not at all (QSaveFile). Returns the paths. Errors: Io.
base::Result<std::vector<QString>> writeDiagrams(const std::vector<DiagramFile>& files, const QString& folder);

} // namespace gb::views
