#include "tables/filtered_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {

FilteredTable::FilteredTable(QAbstractItemModel* model, int sortRole, int copyRole, const QString& empty,
                             QWidget* parent)
    : QWidget(parent)
    , m_copyRole(copyRole)
    , m_empty(empty)
    , m_filter(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_view(new QTableView(this))
    , m_whole(new QLabel(this))
{
    m_proxy.setSourceModel(model);
    m_proxy.setSortRole(sortRole);
    m_proxy.setFilterKeyColumn(-1);
    m_proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_view->setModel(&m_proxy);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // as the model has them until a header is clicked
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 6);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setResizeContentsPrecision(100); // rows that a column is fitted to: more cost a step
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 0);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    m_whole->setWordWrap(true);
    m_whole->setTextFormat(Qt::PlainText);
    m_whole->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_whole->setContentsMargins(6, 2, 6, 4);
    m_whole->setMinimumWidth(1);
    m_whole->hide();
    layout->addWidget(m_whole);
    auto* copyKey = new QShortcut(QKeySequence::Copy, m_view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &FilteredTable::copy);
    connect(m_filter, &QLineEdit::textChanged, this, &FilteredTable::setFilter);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FilteredTable::chosen);
    connect(m_view, &QTableView::clicked, this, &FilteredTable::chosen); // the current row again: back to it
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FilteredTable::showWhole);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_proxy, signal, this, &FilteredTable::countRows);
    connect(&m_proxy, &QAbstractItemModel::modelReset, this, [this] {
        countRows();
        fitColumns();
        showWhole();
    });
    connect(m_view->horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        m_ownWidths = m_ownWidths || (QApplication::mouseButtons() & Qt::LeftButton);
        showWhole();
    });
    connect(&m_proxy, &QAbstractItemModel::layoutChanged, this, &FilteredTable::orderChanged);
    countRows();
}

void FilteredTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_ownWidths) // rows may have come before the panel had its place
        fitColumns();
}

void FilteredTable::setTheme(const Theme& theme)
{
    QPalette colours = m_count->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Muted));
    m_count->setPalette(colours);
}

void FilteredTable::setEmptyText(const QString& empty)
{
    m_empty = empty;
    countRows();
}

void FilteredTable::countRows()
{
    const int all = m_proxy.sourceModel()->rowCount();
    const int shown = m_proxy.rowCount();
    m_count->setText(all == 0       ? m_empty
                     : shown == all ? tr("rows: %1").arg(all)
                                    : tr("rows: %1 of %2").arg(shown).arg(all));
}

/// As wide as the texts, but no column takes more than a third.
void FilteredTable::fitColumns()
{
    // the last one takes what is left, worked out anew: else it keeps what an earlier width left
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->resizeColumnsToContents();
    const int most = std::max(160, m_view->width() / 3);
    for (int c = 0; c < m_proxy.columnCount(); ++c)
        m_view->setColumnWidth(c, std::min(m_view->columnWidth(c) + 8, most));
    m_view->horizontalHeader()->setStretchLastSection(true);
}

QString FilteredTable::whole() const
{
    const QModelIndex current = m_view->currentIndex();
    QStringList out;
    for (int c = 0; current.isValid() && c < m_proxy.columnCount(); ++c) {
        const QString text = current.siblingAtColumn(c).data().toString();
        constexpr int kMargins = 10;
        if (m_view->fontMetrics().horizontalAdvance(text) + kMargins > m_view->columnWidth(c))
            out << text;
    }
    return out.join(QLatin1Char('\n'));
}

void FilteredTable::showWhole()
{
    const QString text = whole();
    if (text == m_whole->text() && text.isEmpty() == m_whole->isHidden())
        return;
    m_whole->setText(text);
    m_whole->setVisible(!text.isEmpty());
}

void FilteredTable::chosen(const QModelIndex& index)
{
    if (!m_setting && index.isValid())
        Q_EMIT rowActivated(m_proxy.mapToSource(index).row());
}

int FilteredTable::currentRow() const
{
    const QModelIndex current = m_view->currentIndex();
    return current.isValid() ? m_proxy.mapToSource(current).row() : -1;
}

void FilteredTable::setCurrentRow(int row)
{
    const QScopedValueRollback<bool> setting(m_setting, true);
    const QModelIndex index = row < 0 ? QModelIndex() : m_proxy.mapFromSource(m_proxy.sourceModel()->index(row, 0));
    if (!index.isValid()) {
        m_view->selectionModel()->clear();
        return;
    }
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

QString FilteredTable::filter() const
{
    return m_filter->text();
}

void FilteredTable::setFilter(const QString& text)
{
    m_filter->setText(text);
    m_proxy.setFilterFixedString(text);
    countRows();
}

QList<int> FilteredTable::order() const
{
    QList<int> out;
    for (int row = 0; row < m_proxy.rowCount(); ++row)
        out << m_proxy.mapToSource(m_proxy.index(row, 0)).row();
    return out;
}

QString FilteredTable::tsv() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    if (rows.empty())
        for (int row = 0; row < m_proxy.rowCount(); ++row)
            rows.push_back(row);
    QStringList cells;
    for (int c = 0; c < m_proxy.columnCount(); ++c)
        cells << m_proxy.headerData(c, Qt::Horizontal).toString();
    QStringList lines{cells.join(QLatin1Char('\t'))};
    for (const int row : rows) {
        cells.clear();
        for (int c = 0; c < m_proxy.columnCount(); ++c)
            cells << m_proxy.index(row, c).data(m_copyRole).toString().replace(QLatin1Char('\t'), QLatin1Char(' '));
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void FilteredTable::copy() const
{
    QApplication::clipboard()->setText(tsv());
}

} // namespace gb::views
