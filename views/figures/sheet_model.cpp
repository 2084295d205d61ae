#include "figures/sheet_model.h"

#include "picture/label_text.h"
#include "session/translate.h"

#include <QFont>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

QString shown(const numbers::Cell& cell)
{
    if (std::holds_alternative<std::monostate>(cell))
        return QString(QChar(0x2014));
    if (const auto* number = std::get_if<double>(&cell))
        return std::isinf(*number) ? (*number < 0 ? QStringLiteral("−∞") : QStringLiteral("∞"))
                                   : displayNumber(*number);
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return displayNumber(static_cast<double>(*count));
    if (const auto* flag = std::get_if<bool>(&cell))
        return *flag ? SheetModel::tr("yes") : SheetModel::tr("no");
    return QString::fromStdString(std::get<std::string>(cell));
}

QVariant sortKey(const numbers::Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell))
        return *number;
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return static_cast<double>(*count);
    if (const auto* flag = std::get_if<bool>(&cell))
        return *flag;
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    return {};
}

/// Nothing stands where a number would.
bool isNumber(const numbers::Cell& cell)
{
    return std::holds_alternative<std::monostate>(cell) || std::holds_alternative<double>(cell)
           || std::holds_alternative<std::int64_t>(cell);
}

} // namespace

void SheetModel::setSheet(numbers::Sheet sheet)
{
    beginResetModel();
    m_sheet = std::move(sheet);
    endResetModel();
}

int SheetModel::rowOf(ir::NodeId node) const
{
    const auto found = std::ranges::find(m_sheet.rows, node, &numbers::SheetRow::node);
    return node == ir::kNoNode || found == m_sheet.rows.end() ? -1 : static_cast<int>(found - m_sheet.rows.begin());
}

QVariant SheetModel::cell(int row, int column, int role) const
{
    const numbers::SheetRow& r = m_sheet.rows[static_cast<std::size_t>(row)];
    const numbers::Cell& cell = r.cells[static_cast<std::size_t>(column)];
    switch (role) {
    case Qt::DisplayRole: return shown(cell);
    case Qt::ToolTipRole:
    case FullRole: return QString::fromStdString(numbers::cellText(cell));
    case SortRole: return sortKey(cell);
    case NodeRole: return r.node;
    case Qt::TextAlignmentRole:
        return isNumber(cell) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                              : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole: { // in a comparison (its last column says "differ") what differs is bold
        const bool compares = !m_sheet.columns.empty() && m_sheet.columns.back().id == "differ";
        const auto* differs = compares ? std::get_if<bool>(&r.cells.back()) : nullptr;
        // of observers side by side, the cells that are not the first one's; its own and the property's with any
        const bool own = m_sheet.what != "zoo" || column < 2 || column == columns() - 1 || cell != r.cells[1];
        QFont font;
        font.setBold(differs && *differs && own);
        return font;
    }
    default: return {};
    }
}

QVariant SheetModel::header(int column, int role) const
{
    return role == Qt::DisplayRole ? translated(m_sheet.columns[static_cast<std::size_t>(column)].title) : QVariant();
}

} // namespace gb::views
