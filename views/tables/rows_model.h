// A table of plain texts, each row with the node and event that it leads to.
//
// Thread: the UI thread.
#pragma once

#include "models/table_model.h"
#include "theme/theme.h"

#include "ir/argument.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace gb::views {

/// A cell's text, and the number that it sorts by where it is one.
struct RowCell {
    RowCell(QString shown = {}, std::optional<double> value = {})
        : text(std::move(shown))
        , number(value)
    {
    }
    QString text;
    std::optional<double> number;
};

struct RowItem {
    std::vector<RowCell> cells;
    ir::NodeId node = ir::kNoNode; ///< selected when the row is chosen
    int event = -1;                ///< the cursor goes there
    std::optional<Ink> ink;        ///< of the first cell
    bool struck = false;           ///< overridden: struck through
};

class RowsModel final : public TableModel {
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole, ///< double where the cell is a number, else QString
        FullRole,                ///< QString: for the clipboard
        NodeRole,                ///< quint32: the node
    };

    explicit RowsModel(QStringList headers, QObject* parent = nullptr);
    void setRows(std::vector<RowItem> rows);
    void setTheme(const Theme& theme);
    [[nodiscard]] int rowOf(ir::NodeId node) const; ///< the first row of a node; -1 where it has none
    [[nodiscard]] const RowItem& row(int number) const { return m_rows[static_cast<std::size_t>(number)]; }

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int columns() const override { return static_cast<int>(m_headers.size()); }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    QStringList m_headers;
    std::vector<RowItem> m_rows;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
};

} // namespace gb::views
