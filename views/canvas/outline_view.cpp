#include "canvas/outline_view.h"

#include <QHeaderView>
#include <QSignalBlocker>

namespace gb::views {

OutlineView::OutlineView(Selection* selection, QWidget* parent)
    : QTreeView(parent)
    , m_selection(selection)
    , m_model(new OutlineModel(this))
{
    setModel(m_model);
    setUniformRowHeights(true); // 20,000 rows
    setAccessibleName(tr("Outline of the graph"));
    header()->setStretchLastSection(true);
    header()->resizeSection(0, 200);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        const ir::NodeId node = m_model->nodeAt(index);
        if (node != ir::kNoNode && node != m_selection->current().node)
            Q_EMIT nodeChosen(node);
    });
    connect(m_selection, &Selection::changed, this, &OutlineView::follow);
}

void OutlineView::setGraph(const ScenePtr& scene, const std::shared_ptr<const trace::GraphMoment>& facts)
{
    m_model->setGraph(scene, facts);
    viewport()->update(); // a name may be another one where the rows are the same
    follow();
}

void OutlineView::follow()
{
    const QModelIndex index = m_model->indexOfNode(m_selection->current().node);
    if (!index.isValid() || index == currentIndex() || !isVisible())
        return;
    const QSignalBlocker quiet(selectionModel());
    setCurrentIndex(index);
    scrollTo(index);
    viewport()->update();
}

} // namespace gb::views
