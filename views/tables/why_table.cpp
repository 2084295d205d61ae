#include "tables/why_table.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {

void WhyTableModel::setReasons(std::vector<Reason> reasons)
{
    beginResetModel();
    m_reasons = std::move(reasons);
    endResetModel();
}

int WhyTableModel::rowOf(ir::NodeId node) const
{
    const auto found = std::ranges::find(m_reasons, node, &Reason::node);
    return found == m_reasons.end() ? -1 : static_cast<int>(found - m_reasons.begin());
}

QVariant WhyTableModel::cell(int row, int column, int role) const
{
    const Reason& r = m_reasons[static_cast<std::size_t>(row)];
    switch (role) {
    case SortRole:
        if (column == Code) // R2 before R11
            return r.code.left(1) + r.code.mid(1).rightJustified(4, QLatin1Char('0'));
        [[fallthrough]];
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case FullRole:
        switch (column) {
        case NodeName: return r.name;
        case Op: return r.target;
        case Code: return r.code;
        case Verdict: return r.verdict;
        default: return r.sentence;
        }
    case NodeRole: return r.node;
    default: return {};
    }
}

QVariant WhyTableModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case NodeName: return tr("Node");
    case Op: return tr("Op");
    case Code: return tr("Code");
    case Verdict: return tr("Verdict");
    default: return tr("Why it has no label");
    }
}

WhyTable::WhyTable(Selection* selection, const Explanation* explanation, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_explanation(explanation)
    , m_reasons(explanation)
    , m_model(new WhyTableModel(this))
    , m_table(new FilteredTable(m_model, WhyTableModel::SortRole, WhyTableModel::FullRole, tr("Every op has a label."),
                                this))
{
    m_table->view().setAccessibleName(tr("Ops without a label"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    connect(m_explanation, &Explanation::changed, this, &WhyTable::refresh);
    connect(m_selection, &Selection::changed, this, &WhyTable::follow);
    connect(m_table, &FilteredTable::rowActivated, this, [this](int row) {
        const QScopedValueRollback<bool> following(m_following, true);
        m_selection->selectNode(m_model->reason(row).node);
    });
}

void WhyTable::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
}

void WhyTable::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void WhyTable::refresh()
{
    if (!isVisible())
        return;
    const explain::ReportPtr& report = m_explanation->report();
    if (!report || m_known != report) {
        m_known = report;
        std::vector<Reason> unlabelled;
        std::ranges::copy_if(m_reasons.all(), std::back_inserter(unlabelled),
                             [](const Reason& r) { return r.isUnlabelled() && r.isCompute; });
        m_table->setEmptyText(!m_reasons.problem().isEmpty() ? m_reasons.problem()
                              : m_explanation->busy()        ? tr("Being worked out…")
                              : report                       ? tr("Every op has a label.")
                                                             : tr("No recording."));
        m_model->setReasons(std::move(unlabelled));
    }
    follow();
}

void WhyTable::follow()
{
    if (!m_following && isVisible())
        m_table->setCurrentRow(m_model->rowOf(m_selection->current().node));
}

} // namespace gb::views
