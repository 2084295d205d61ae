// One page of an export: pictures of one or several moments, the caption above, the legend below.
//
// Thread: any; needs a QGuiApplication.
#pragma once

#include "export/export_diagram.h"
#include "picture/hulls.h"
#include "picture/painter.h"

namespace gb::views {

struct Sheet {
    struct Part {
        PicturePtr picture;
        QPointF offset; ///< of the scene on the sheet
        QString caption;
        std::vector<Hull> hulls = {}; ///< where they are asked for
    };
    std::string name; ///< for the file's name; of several the first one's
    QString title;
    std::vector<Part> parts;
    QRectF content;      ///< parts, captions and legend, before they are fitted on a page
    QSizeF page;         ///< empty: as large as the content
    double scale = 1;    ///< of the content on the page
    double textSize = 0; ///< of the smallest text on the page, in points

    [[nodiscard]] QSizeF size() const { return page.isEmpty() ? content.size() : page; }
    /// Of the parts, in order.
    [[nodiscard]] std::vector<PicturePtr> pictures() const;
};

/// The sheets of the frames. All have the same framing. Errors: as exportDiagram.
base::Result<std::vector<Sheet>> makeSheets(const trace::RecordingPtr& recording, const std::vector<Frame>& frames,
                                            const DiagramOptions& options, const base::Work& work);
/// From (0, 0) to size().
void paintSheet(Surface& surface, const Sheet& sheet, const DiagramOptions& options);

} // namespace gb::views
