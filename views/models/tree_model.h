// The base of every tree model: rows have numbers, and a model says only parents, children and cells.
//
// Thread: the UI thread.
#pragma once

#include <QAbstractItemModel>

#include <vector>

namespace gb::views {

class TreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const final;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex& = {}) const final { return columns(); }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

    /// The number of the row at an index; -1 for the root.
    [[nodiscard]] static int rowNumber(const QModelIndex& index);
    [[nodiscard]] QModelIndex indexOf(int number, int column = 0) const;

protected:
    static constexpr int kRoot = -1;
    [[nodiscard]] virtual int parentOf(int number) const = 0; ///< kRoot for a top row
    [[nodiscard]] virtual int placeOf(int number) const = 0;  ///< its position among its parent's children
    [[nodiscard]] virtual const std::vector<int>& childrenOf(int number) const = 0; ///< number may be kRoot
    [[nodiscard]] virtual int columns() const = 0;
    [[nodiscard]] virtual QVariant cell(int number, int column, int role) const = 0;
    [[nodiscard]] virtual QVariant header(int column, int role) const = 0;
};

} // namespace gb::views
