#include "stages/inside_view.h"

#include "session/translate.h"

#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

namespace gb::views {

void InsideModel::setSteps(std::vector<explain::InnerStep> steps)
{
    beginResetModel();
    m_steps = std::move(steps);
    endResetModel();
}

QVariant InsideModel::cell(int row, int column, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return column == Number ? QVariant(row + 1) : translated(m_steps[static_cast<std::size_t>(row)].sentence);
}

QVariant InsideModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Number ? tr("No.") : tr("What happened inside");
}

InsideView::InsideView(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(new InsideModel(this))
    , m_title(new QLabel(this))
    , m_table(new QTableView(this))
{
    m_title->setContentsMargins(6, 3, 6, 3);
    m_title->setWordWrap(true);
    m_title->setMinimumWidth(1);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Inside the event"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(true);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_table, 1);
    connect(m_session, &Session::recordingChanged, this, &InsideView::showEventUnderCursor);
    connect(m_session, &Session::cursorChanged, this, &InsideView::showEventUnderCursor);
    connect(m_session, &Session::innerChanged, this, &InsideView::showInner);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!m_following && row.isValid())
            m_session->setInner(row.row());
    });
    showEventUnderCursor();
}

void InsideView::showEventUnderCursor()
{
    const QScopedValueRollback<bool> following(m_following, true);
    const auto& steps = m_session->inside();
    m_model->setSteps(steps);
    m_title->setText(tr("Inside event %1: %n step(s). F11 goes in.", nullptr, static_cast<int>(steps.size()))
                         .arg(m_session->cursor()));
    const int digits = m_table->fontMetrics().horizontalAdvance(QString::number(steps.size()) + QStringLiteral("000"));
    m_table->horizontalHeader()->resizeSection(InsideModel::Number, digits);
    // long lists (a search has up to thousands of moves) keep one line a step
    constexpr std::size_t kMostWrapped = 200;
    m_table->verticalHeader()->setSectionResizeMode(steps.size() <= kMostWrapped ? QHeaderView::ResizeToContents
                                                                                 : QHeaderView::Fixed);
    setHidden(steps.empty());
    showInner();
}

void InsideView::showInner()
{
    const QScopedValueRollback<bool> following(m_following, true);
    const QModelIndex row = m_model->index(m_session->inner(), InsideModel::Sentence);
    m_table->setCurrentIndex(row);
    if (row.isValid())
        m_table->scrollTo(row);
    else
        m_table->clearSelection();
}

} // namespace gb::views
