// A sheet of figures on the screen: sortable, filtered, copied; a row selects its node.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_model.h"
#include "tables/filtered_table.h"
#include "theme/theme.h"

#include <QWidget>

class QLabel;

namespace gb::views {

class SheetView final : public QWidget {
    Q_OBJECT

public:
    SheetView(Selection* selection, const QString& empty, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSheet(numbers::Sheet sheet);
    /// Shows a sentence in the place of rows: why there are none, or what is being worked out.
    void setMessage(const QString& sentence);
    [[nodiscard]] const SheetModel& model() const { return *m_model; }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }
    [[nodiscard]] QString notes() const;
    /// The row that the user chose; -1 for none.
    [[nodiscard]] int currentRow() const { return m_table->currentRow(); }

Q_SIGNALS:
    void rowChosen(int row);

private:
    void follow();

    Selection* m_selection;
    SheetModel* m_model;
    FilteredTable* m_table;
    QLabel* m_notes;
    bool m_following = false; ///< the selection is being set by a click here
};

} // namespace gb::views
