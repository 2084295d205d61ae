// The base of every table model: Qt's overrides are final, a model says only rows, columns and cells.
//
// Thread: the UI thread.
#pragma once

#include <QAbstractTableModel>

namespace gb::views {

class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : rows(); }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : columns();
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final
    {
        return checkIndex(index, CheckIndexOption::IndexIsValid) ? cell(index.row(), index.column(), role) : QVariant();
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final
    {
        const bool named = orientation == Qt::Horizontal && section >= 0 && section < columns();
        return named ? header(section, role) : QVariant();
    }

protected:
    [[nodiscard]] virtual int rows() const = 0;
    [[nodiscard]] virtual int columns() const = 0;
    /// What a cell shows for a role; invalid for a role that the model does not have.
    [[nodiscard]] virtual QVariant cell(int row, int column, int role) const = 0;
    [[nodiscard]] virtual QVariant header(int column, int role) const = 0;
};

} // namespace gb::views
