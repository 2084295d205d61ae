#include "tables/rows_model.h"

#include <algorithm>

namespace gb::views {

RowsModel::RowsModel(QStringList headers, QObject* parent)
    : TableModel(parent)
    , m_headers(std::move(headers))
{
}

void RowsModel::setRows(std::vector<RowItem> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void RowsModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rows() - 1, columns() - 1), {Qt::ForegroundRole});
}

int RowsModel::rowOf(ir::NodeId node) const
{
    if (node == ir::kNoNode)
        return -1;
    const auto found = std::ranges::find(m_rows, node, &RowItem::node);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QVariant RowsModel::cell(int number, int column, int role) const
{
    const RowItem& item = row(number);
    const auto at = static_cast<std::size_t>(column);
    if (at >= item.cells.size())
        return {};
    const RowCell& c = item.cells[at];
    switch (role) {
    case SortRole: return c.number ? QVariant(*c.number) : QVariant(c.text);
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case FullRole: return c.text;
    case Qt::TextAlignmentRole:
        return c.number ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (item.struck)
            return m_theme->ink(Ink::Muted);
        return column == 0 && item.ink ? QVariant(m_theme->ink(*item.ink)) : QVariant();
    case Qt::FontRole: {
        if (!item.struck)
            return {};
        QFont font = Theme::font(FontRole::NodeText);
        font.setStrikeOut(true);
        return font;
    }
    case NodeRole: return item.node;
    default: return {};
    }
}

QVariant RowsModel::header(int column, int role) const
{
    return role == Qt::DisplayRole ? QVariant(m_headers[column]) : QVariant();
}

} // namespace gb::views
