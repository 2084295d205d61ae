#include "models/tree_model.h"

namespace gb::views {

int TreeModel::rowNumber(const QModelIndex& index)
{
    return index.isValid() ? static_cast<int>(index.internalId()) : kRoot;
}

QModelIndex TreeModel::indexOf(int number, int column) const
{
    return number == kRoot ? QModelIndex() : createIndex(placeOf(number), column, static_cast<quintptr>(number));
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= columns() || parent.column() > 0)
        return {};
    const std::vector<int>& children = childrenOf(rowNumber(parent));
    if (row >= static_cast<int>(children.size()))
        return {};
    return createIndex(row, column, static_cast<quintptr>(children[static_cast<std::size_t>(row)]));
}

QModelIndex TreeModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? indexOf(parentOf(rowNumber(child))) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(rowNumber(parent)).size());
}

QVariant TreeModel::data(const QModelIndex& index, int role) const
{
    return index.isValid() ? cell(rowNumber(index), index.column(), role) : QVariant();
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool named = orientation == Qt::Horizontal && section >= 0 && section < columns();
    return named ? header(section, role) : QVariant();
}

} // namespace gb::views
