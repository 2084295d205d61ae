// A canvas under a header that names its stage and lets one choose another.
//
// Thread: UI.
#pragma once

#include "canvas/graph_canvas.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

namespace gb::views {

class GraphPane final : public QWidget {
    Q_OBJECT
public:
    GraphPane(Camera* camera, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] GraphCanvas* canvas() const { return m_canvas; }
    /// The stages to choose from, in order; keeps the chosen one where it is still there, without a signal.
    void setStages(const QStringList& stages);
    /// Chooses without a signal. An empty text means "at the cursor".
    void setStage(const QString& stage);
    [[nodiscard]] QString stage() const;
    /// Right of the selector: "62 nodes · 9 observers".
    void setSummary(const QString& text);
    /// Path of the sub-graph that is shown; empty for the top graph.
    void setGraph(const QString& path);

Q_SIGNALS:
    /// The user chose; empty for "at the cursor".
    void stageChosen(const QString& stage);
    void graphLeft(); ///< back to the top graph

private:
    QComboBox* m_stages;
    QToolButton* m_leave; ///< a sub-graph; hidden at the top
    QLabel* m_summary;
    GraphCanvas* m_canvas;
};

} // namespace gb::views
