// The qparams cards of one or two observers, row by row: property, selected, pinned. Cells that differ are marked.
//
// Thread: the UI thread.
#pragma once

#include "models/table_model.h"
#include "plots/qparams_text.h"
#include "theme/theme.h"

namespace gb::views {

class QParamsModel final : public TableModel {
    Q_OBJECT

public:
    enum Column { Property, Selected, Pinned };
    enum Role {
        FullRole = Qt::UserRole, ///< QString: with every digit
        DiffersRole,             ///< bool: the two observers differ in this row
    };

    using TableModel::TableModel;
    /// Empty `pinned`: one column only. Both have the same rows where both are there.
    void setCards(std::vector<QParamsEntry> selected, std::vector<QParamsEntry> pinned = {});
    void setTheme(const Theme& theme);
    [[nodiscard]] bool differs(int row) const;
    /// Property and values with every digit, tab-separated, one row a line.
    [[nodiscard]] QString tsv() const;

private:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] int columns() const override { return m_pinned.empty() ? 2 : 3; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    std::vector<QParamsEntry> m_selected;
    std::vector<QParamsEntry> m_pinned;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
};

} // namespace gb::views
