// A sheet of figures (numbers/sheet.h) as a table model: 4 significant digits shown, every digit copied.
//
// Thread: the UI thread.
#pragma once

#include "models/table_model.h"
#include "numbers/sheet.h"

namespace gb::views {

class SheetModel final : public TableModel {
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole, ///< double for numbers, QString for texts, bool
        FullRole,                ///< QString: every digit
        NodeRole,                ///< quint32: the node that the row is about
    };

    using TableModel::TableModel;
    void setSheet(numbers::Sheet sheet);
    [[nodiscard]] const numbers::Sheet& sheet() const { return m_sheet; }
    /// The first row about a node; -1 where there is none.
    [[nodiscard]] int rowOf(ir::NodeId node) const;

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_sheet.rows.size()); }
    [[nodiscard]] int columns() const override { return static_cast<int>(m_sheet.columns.size()); }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    numbers::Sheet m_sheet;
};

} // namespace gb::views
