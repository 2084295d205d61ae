// All observers of the recording with their qparams: sortable, filtered, copied as TSV; a click selects the observer.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "models/table_model.h"
#include "observers/observer_source.h"
#include "session/session.h"
#include "tables/filtered_table.h"
#include "theme/theme.h"

#include <QWidget>

namespace gb::views {

class QparamsTableModel final : public TableModel {
    Q_OBJECT

public:
    /// Text everywhere; numbers sort by value.
    enum Column {
        Name,
        Observes,
        Type,
        DType,
        QScheme,
        QuantRange,
        Min,
        Max,
        Scale,
        ZeroPoint,
        Batches,
        Users,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole, ///< QString, or double for numbers
        FullRole,                ///< QString: the cell with full precision, for the clipboard
        NodeRole,                ///< quint32: the observer's first node
    };

    using TableModel::TableModel;
    void setRows(ObserverRowsPtr rows);
    /// The row of an observer object, -1 where it is not there.
    [[nodiscard]] int rowOf(std::int64_t instance) const;
    [[nodiscard]] const ObserverRow& row(int row) const { return (*m_rows)[static_cast<std::size_t>(row)]; }

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows->size()); }
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;
    [[nodiscard]] static QString text(const ObserverRow& row, int column, bool full);

    ObserverRowsPtr m_rows = std::make_shared<const std::vector<ObserverRow>>();
};

class QparamsTable final : public QWidget {
    Q_OBJECT

public:
    QparamsTable(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    [[nodiscard]] const QparamsTableModel& model() const { return *m_model; }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void follow();

    Session* m_session;
    Selection* m_selection;
    ObserverSource m_source;
    QparamsTableModel* m_model;
    FilteredTable* m_table;
    bool m_following = false;      ///< the selection is being set by a click here
    trace::RecordingPtr m_shownOf; ///< whose observers are in the model, ...
    int m_shownEvent = -2;         ///< ... as they were at this event
};

} // namespace gb::views
