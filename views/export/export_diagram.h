// Diagrams for slides and papers: SVG, PDF, PNG and DOT of the graph at stages or steps of a recording; and the graphs
// as Model Explorer reads them (JSON).
//
// The same recording and options give the same bytes. SVG keeps text as text, has one group a node whose id is the
// node's name, and neither clip paths nor filters nor style sheets. PDF embeds its fonts and has a page a frame.
//
// Thread: any; needs a QGuiApplication (the offscreen platform will do).
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "export/frames.h"
#include "layout/arrangement.h"
#include "picture/picture.h"
#include "theme/theme.h"
#include "trace/recording.h"

#include <QByteArray>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gb::views {

enum class DiagramFormat : unsigned char { Svg, Pdf, Png, Dot, ModelExplorer };
/// By the file name's ending; nothing for another one.
std::optional<DiagramFormat> diagramFormat(const QString& fileName);
/// ".svg", ".pdf", ".png", ".dot", ".json"
QString suffix(DiagramFormat format);

enum class FoldChoice : unsigned char {
    None,  ///< everything unfolded
    First, ///< as the window begins
    All,   ///< outermost modules only
};

struct DiagramOptions {
    ThemeKind theme = ThemeKind::Print;
    double scale = 2;       ///< PNG: pixels a scene pixel, 1 to 4
    bool background = true; ///< false: transparent
    bool ghosts = true;
    bool caption = true;                  ///< "conv_relu · xnnpack · annotated" above the graph
    std::string graph;                    ///< path of a sub-graph; empty: the top one
    QString captionText = {};             ///< instead of model and stage
    bool legend = false;                  ///< what forms and lines mean, below the graph
    QSizeF page = {};                     ///< of every sheet (page.h); empty: as large as the graph
    double minText = 14;                  ///< points: smaller text on a page gives a note
    Detail detail = Detail::Full;         ///< how much each box says; less is set larger
    std::vector<std::string> select = {}; ///< patterns (scene_selection.h); empty: the whole graph
    int radius = 1;                       ///< ops around what is selected
    FoldChoice fold = FoldChoice::None;
    std::optional<Folding> folding = {}; ///< instead of fold: as a window shows it
    /// Only what lies in this part of the picture, in pixels at 100 % from the picture's corner; empty: all.
    QRectF viewport = {};
    bool constants = true;   ///< weights and other constants beside their user
    bool hulls = false;      ///< sharing groups as shapes behind their labels and observers
    bool notes = false;      ///< a file more: what a speaker says at each frame (speaker_notes.h)
    bool sideBySide = false; ///< all stages on one sheet, as in panes
    OverlayKind overlay = OverlayKind::None;
    std::string overlayCsv = {}; ///< text of a CSV with own numbers (overlay.h), and its name
    std::string overlayName = {};
};

/// "text is 6 pt on the page, 14 expected: ..." where a text is smaller than asked for; empty else.
QString textNote(double points, const DiagramOptions& options);

struct DiagramFile {
    QString name; ///< "NAME-03-annotated.svg", or the given name where it is the only one
    QByteArray bytes;
    QString note = {}; ///< what the user should know: text too small
};

/// The diagrams of the frames, in the given order. One frame, or a PDF: one file called `fileName`. Several: a file
/// each, with the frame's name before the ending. For Model Explorer all frames are one file, and an overlay another
/// one ("NAME-node-data.json"). Speaker notes come last, as "NAME-notes.md". Errors: Usage for a scale out of range,
/// NotFound where a selection or the viewport holds nothing, Cancelled.
base::Result<std::vector<DiagramFile>> exportFrames(trace::RecordingPtr recording, const std::vector<Frame>& frames,
                                                    DiagramFormat format, const QString& fileName,
                                                    const DiagramOptions& options = {}, base::Work work = {});
/// Of stages; errors also as framesOfStages.
base::Result<std::vector<DiagramFile>> exportDiagram(trace::RecordingPtr recording,
                                                     const std::vector<std::string>& stages, DiagramFormat format,
                                                     const QString& fileName, const DiagramOptions& options = {},
                                                     base::Work work = {});

/// Writes the files into `folder`, each whole or not at all (QSaveFile). Returns the paths. Errors: Io.
base::Result<std::vector<QString>> writeDiagrams(const std::vector<DiagramFile>& files, const QString& folder);

} // namespace gb::views
