// A sortable table with a filter line above it and Ctrl+C as tab-separated text. Below it stands in full what of the
// current row does not fit into its cells.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace gb::views {

class FilteredTable final : public QWidget {
    Q_OBJECT

public:
    /// `model` sorts by `sortRole` and is copied by `copyRole`; stays the caller's. `empty` stands where no row is.
    FilteredTable(QAbstractItemModel* model, int sortRole, int copyRole, const QString& empty,
                  QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setEmptyText(const QString& empty);

    /// The model's row of the current row; -1 where none is.
    [[nodiscard]] int currentRow() const;
    /// Makes a row of the model current without rowActivated; -1 clears.
    void setCurrentRow(int row);
    [[nodiscard]] QString filter() const;
    void setFilter(const QString& text);
    /// The selected rows (all rows where none is selected) with a header line, as they are sorted.
    [[nodiscard]] QString tsv() const;
    /// The model's rows from above to below, as they are sorted; those that the filter hides are left out.
    [[nodiscard]] QList<int> order() const;
    [[nodiscard]] int visibleRows() const { return m_proxy.rowCount(); }
    [[nodiscard]] QTableView& view() const { return *m_view; }
    /// The texts of the current row that are cut off in the table, one a line.
    [[nodiscard]] QString whole() const;

public Q_SLOTS:
    void copy() const; ///< tsv() to the clipboard

Q_SIGNALS:
    /// The user chose a row (the model's number).
    void rowActivated(int row);
    /// The rows were sorted otherwise.
    void orderChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void countRows();
    void fitColumns();
    void showWhole();
    void chosen(const QModelIndex& index);

    int m_copyRole;
    QString m_empty;
    QSortFilterProxyModel m_proxy;
    QLineEdit* m_filter;
    QLabel* m_count;
    QTableView* m_view;
    QLabel* m_whole;          ///< what of the current row does not fit into its cells
    bool m_setting = false;   ///< the current row is being set by the program
    bool m_ownWidths = false; ///< the user drew a column to another width
};

} // namespace gb::views
