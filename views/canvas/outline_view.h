// The outline in a panel: follows the selection, and selects what one goes to.
//
// Thread: UI.
#pragma once

#include "canvas/outline_model.h"
#include "canvas/selection.h"

#include <QTreeView>

namespace gb::views {

class OutlineView final : public QTreeView {
    Q_OBJECT
public:
    explicit OutlineView(Selection* selection, QWidget* parent = nullptr);
    [[nodiscard]] OutlineModel* outline() const { return m_model; }
    void setGraph(const ScenePtr& scene, const std::shared_ptr<const trace::GraphMoment>& facts);

Q_SIGNALS:
    void nodeChosen(gb::ir::NodeId node);

private:
    void follow();

    Selection* m_selection;
    OutlineModel* m_model;
};

} // namespace gb::views
