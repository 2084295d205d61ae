// Every compute op without a label, with code, verdict and reason. A click selects the node.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "inspector/reasons.h"
#include "models/table_model.h"
#include "session/explanation.h"
#include "tables/filtered_table.h"
#include "theme/theme.h"

#include <QWidget>

namespace gb::views {

class WhyTableModel final : public TableModel {
    Q_OBJECT

public:
    enum Column { NodeName, Op, Code, Verdict, Sentence, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole, ///< QString; codes sort by their number
        FullRole,                ///< QString: for the clipboard
        NodeRole,                ///< quint32: the node
    };

    using TableModel::TableModel;
    void setReasons(std::vector<Reason> reasons);
    [[nodiscard]] int rowOf(ir::NodeId node) const; ///< -1 where it has no row
    [[nodiscard]] const Reason& reason(int row) const { return m_reasons[static_cast<std::size_t>(row)]; }

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_reasons.size()); }
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    std::vector<Reason> m_reasons;
};

class WhyTable final : public QWidget {
    Q_OBJECT

public:
    WhyTable(Selection* selection, const Explanation* explanation, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    [[nodiscard]] const WhyTableModel& model() const { return *m_model; }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void follow();

    Selection* m_selection;
    const Explanation* m_explanation;
    ReasonSource m_reasons;
    WhyTableModel* m_model;
    FilteredTable* m_table;
    explain::ReportPtr m_known; ///< whose reasons are in the model
    bool m_following = false;
};

} // namespace gb::views
