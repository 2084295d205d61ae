#include "stages/stages_view.h"

#include <QHeaderView>

#include <algorithm>

namespace gb::views {

StagesView::StagesView(Session* session, QWidget* parent)
    : QTreeView(parent)
    , m_session(session)
    , m_model(new EventTreeModel(this))
{
    setModel(m_model);
    setAccessibleName(tr("Stages and events"));
    setUniformRowHeights(true);
    setIndentation(14);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    header()->setSectionResizeMode(EventTreeModel::Sentence, QHeaderView::Stretch);
    header()->setSectionResizeMode(EventTreeModel::Delta, QHeaderView::Fixed);
    header()->setStretchLastSection(false);
    connect(m_session, &Session::recordingChanged, this, &StagesView::showRecording);
    connect(m_session, &Session::cursorChanged, this, &StagesView::showCursor);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        const int event = current.isValid() ? current.data(EventTreeModel::EventRole).toInt() : -1;
        if (!m_following && event >= 0)
            m_session->setCursor(event);
    });
    showRecording();
}

/// The change takes what it needs, but no more than a third: the sentence says more.
void StagesView::fitColumns()
{
    const int wanted = sizeHintForColumn(EventTreeModel::Delta) + 8;
    header()->resizeSection(EventTreeModel::Delta, std::min(wanted, viewport()->width() / 3));
}

void StagesView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitColumns();
}

void StagesView::showRecording()
{
    m_following = true;
    m_model->setRecording(m_session->recording());
    m_following = false;
    fitColumns();
    showCursor();
}

void StagesView::showCursor()
{
    const QModelIndex index = m_model->indexOfEvent(m_session->cursor());
    if (!index.isValid() || index == currentIndex())
        return;
    m_following = true;
    setCurrentIndex(index);
    scrollTo(index);
    m_following = false;
}

} // namespace gb::views
