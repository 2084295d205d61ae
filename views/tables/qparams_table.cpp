#include "tables/qparams_table.h"

#include "observers/number_text.h"
#include "picture/label_text.h"
#include "plots/qparams_text.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gb::views {
namespace {

struct Extremes {
    std::optional<double> least;
    std::optional<double> most;
};

Extremes extremes(const std::optional<ir::Tensor>& tensor)
{
    Extremes out;
    if (!tensor)
        return out;
    for (const double v : tensor->toDoubles()) {
        out.least = std::min(out.least.value_or(v), v);
        out.most = std::max(out.most.value_or(v), v);
    }
    return out;
}

const ir::Tensor* scaleOf(const ObserverRow& row)
{
    const auto& qparams = row.state().qparams;
    return qparams ? &qparams->scale : nullptr;
}

/// What stands in a number column: one number, or of several channels the least and the most.
Extremes numbersOf(const ObserverRow& row, int column)
{
    const quant::ObserverState& state = row.state();
    switch (column) {
    case QparamsTableModel::Min: return {extremes(state.minVal).least, extremes(state.minVal).least};
    case QparamsTableModel::Max: return {extremes(state.maxVal).most, extremes(state.maxVal).most};
    case QparamsTableModel::Scale: return scaleOf(row) ? extremes(*scaleOf(row)) : Extremes();
    case QparamsTableModel::ZeroPoint: return state.qparams ? extremes(state.qparams->zeroPoint) : Extremes();
    default: return {static_cast<double>(state.batches), static_cast<double>(state.batches)};
    }
}

bool isNumber(int column)
{
    return column == QparamsTableModel::Min || column == QparamsTableModel::Max || column == QparamsTableModel::Scale
           || column == QparamsTableModel::ZeroPoint || column == QparamsTableModel::Batches;
}

QString numbersText(const ObserverRow& row, int column, bool full)
{
    const Extremes n = numbersOf(row, column);
    if (!n.least)
        return full ? QString() : shortText(std::nullopt);
    const auto text = [full](double v) { return full ? fullText(v) : displayNumber(v); };
    if (*n.least == *n.most)
        return text(*n.least);
    return text(*n.least) + (full ? QStringLiteral(" .. ") : QStringLiteral(" … ")) + text(*n.most);
}

QString quantRangeText(const ObserverRow& row, bool full)
{
    const HistogramFacts facts = histogramFacts({}, row.info->settings, {});
    if (!facts.quantMin || !facts.quantMax)
        return full ? QString() : shortText(std::nullopt);
    const QString text = QStringLiteral("%1 … %2").arg(*facts.quantMin).arg(*facts.quantMax);
    return full ? QStringLiteral("%1 .. %2").arg(*facts.quantMin).arg(*facts.quantMax)
                : QString(text).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

void QparamsTableModel::setRows(ObserverRowsPtr rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int QparamsTableModel::rowOf(std::int64_t instance) const
{
    const auto found = std::ranges::find(*m_rows, instance, &ObserverRow::instance);
    return found == m_rows->end() ? -1 : static_cast<int>(found - m_rows->begin());
}

QString QparamsTableModel::text(const ObserverRow& row, int column, bool full)
{
    const quant::ObserverSettings& s = row.info->settings;
    switch (column) {
    case Name: return row.name();
    case Observes: return row.observes.join(QStringLiteral(", "));
    case Type: return row.typeText();
    case DType: return QString::fromStdString(s.dtypeName);
    case QScheme:
        return s.qscheme ? QString::fromLatin1(ir::name(*s.qscheme)) : full ? QString() : shortText(std::nullopt);
    case QuantRange: return quantRangeText(row, full);
    case Users: return row.users.join(QStringLiteral(", "));
    default: return numbersText(row, column, full);
    }
}

QVariant QparamsTableModel::cell(int row, int column, int role) const
{
    const ObserverRow& r = this->row(row);
    switch (role) {
    case Qt::DisplayRole: return text(r, column, false);
    case Qt::ToolTipRole:
    case FullRole: return text(r, column, true);
    case SortRole: {
        if (!isNumber(column))
            return text(r, column, true);
        return numbersOf(r, column).least.value_or(-std::numeric_limits<double>::infinity());
    }
    case Qt::TextAlignmentRole:
        return isNumber(column) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case NodeRole: return r.nodes.empty() ? ir::kNoNode : r.nodes.front();
    default: return {};
    }
}

QVariant QparamsTableModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, ColumnCount> titles{tr("Observer"), tr("Observes"),    tr("Type"),    tr("dtype"),
                                                  tr("qscheme"),  tr("quant range"), tr("min"),     tr("max"),
                                                  tr("scale"),    tr("zero point"),  tr("Batches"), tr("Users")};
    return titles[static_cast<std::size_t>(column)];
}

QparamsTable::QparamsTable(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_source(session)
    , m_model(new QparamsTableModel(this))
    , m_table(new FilteredTable(m_model, QparamsTableModel::SortRole, QparamsTableModel::FullRole,
                                tr("No observers at this moment."), this))
{
    m_table->view().setAccessibleName(tr("Observers and qparams"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    connect(m_session, &Session::recordingChanged, this, &QparamsTable::refresh);
    connect(m_session, &Session::cursorChanged, this, &QparamsTable::refresh);
    connect(m_selection, &Selection::changed, this, &QparamsTable::follow);
    connect(m_table, &FilteredTable::rowActivated, this, [this](int row) {
        const QScopedValueRollback<bool> following(m_following, true);
        m_selection->set(ObserverSource::selectionOf(m_model->row(row)));
    });
}

void QparamsTable::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
}

void QparamsTable::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void QparamsTable::refresh()
{
    if (!isVisible())
        return;
    const ObserverRowsPtr& rows = m_source.shared();
    if (m_shownEvent != m_source.event() || m_shownOf != m_session->recording()) {
        m_shownEvent = m_source.event();
        m_shownOf = m_session->recording();
        m_model->setRows(rows);
    }
    follow();
}

void QparamsTable::follow()
{
    if (m_following || !isVisible())
        return;
    const ObserverRow* row = m_source.find(m_selection->current());
    m_table->setCurrentRow(row ? m_model->rowOf(row->instance) : -1);
}

} // namespace gb::views
