#include "tables/search_view.h"

#include "explain/query.h"
#include "tables/explain_rows.h"

#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {

SearchView::SearchView(Selection* selection, Explanation* explanation, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_explanation(explanation)
    , m_model(new RowsModel(searchHeaders(), this))
    , m_table(new FilteredTable(m_model, RowsModel::SortRole, RowsModel::FullRole, tr("No hits."), this))
    , m_message(new QLabel(this))
{
    m_table->view().setAccessibleName(tr("Search results"));
    m_message->setWordWrap(true);
    m_message->setContentsMargins(6, 3, 6, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_message);
    layout->addWidget(m_table, 1);
    connect(m_explanation, &Explanation::changed, this, [this] { search(m_text); });
    connect(m_table, &FilteredTable::rowActivated, this, &SearchView::go);
    search({});
}

void SearchView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_table->setTheme(theme);
    m_model->setTheme(theme);
    say(m_message->text(), m_ink);
}

QString SearchView::message() const
{
    return m_message->text();
}

void SearchView::say(const QString& text, Ink ink)
{
    m_ink = ink;
    m_message->setText(text);
    QPalette colours = m_message->palette();
    colours.setColor(QPalette::WindowText, m_theme->ink(ink));
    m_message->setPalette(colours);
}

void SearchView::search(const QString& text)
{
    m_text = text;
    const auto query = explain::Query::parse(text.toStdString());
    if (!query) {
        say(QString::fromStdString(query.error().text()), Ink::Error);
        return;
    }
    std::vector<RowItem> rows = searchRows(m_explanation->index(), query->run(m_explanation->index()));
    std::ranges::stable_partition(rows, [&](const RowItem& row) { return row.cells[0].text == text.trimmed(); });
    m_model->setRows(std::move(rows)); // a name that is written in full comes first
    if (text.trimmed().isEmpty())
        say(tr("Fields: op: name: module: dtype: obs: reason: label: kind:   Numbers: scale> zp= min< max> batches=   "
               "and, or, not, ( ), \"quotes\", * and ?"),
            Ink::Muted);
    else
        say(tr("%n node(s) found", nullptr, hitCount()), Ink::Muted);
}

void SearchView::next()
{
    step(1);
}

void SearchView::previous()
{
    step(-1);
}

void SearchView::step(int by)
{
    const int count = hitCount();
    if (count == 0)
        return;
    const int now = m_table->currentRow();
    const int to = now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count;
    m_table->setCurrentRow(to);
    go(to);
}

void SearchView::go(int row)
{
    const ir::NodeId node = m_model->row(row).node;
    m_selection->selectNode(node);
    Q_EMIT chosen(node);
}

} // namespace gb::views
