// The results of a search (explain/query.h), as a list that the keyboard walks.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "session/explanation.h"
#include "tables/filtered_table.h"
#include "tables/rows_model.h"

#include <QWidget>

class QLabel;

namespace gb::views {

class SearchView final : public QWidget {
    Q_OBJECT

public:
    SearchView(Selection* selection, Explanation* explanation, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

    /// Shows what matches. An error in the text stands above the list, which then keeps its rows.
    void search(const QString& text);
    /// The error of the text, or how many nodes were found.
    [[nodiscard]] QString message() const;
    [[nodiscard]] int hitCount() const { return m_model->rowCount(); }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }

public Q_SLOTS:
    void next(); ///< selects the hit after the current one, the first behind the last
    void previous();

Q_SIGNALS:
    /// A hit was selected.
    void chosen(gb::ir::NodeId node);

private:
    void step(int by);
    void go(int row);
    void say(const QString& text, Ink ink);

    Selection* m_selection;
    Explanation* m_explanation;
    RowsModel* m_model;
    FilteredTable* m_table;
    QLabel* m_message;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
    QString m_text;
    Ink m_ink = Ink::Muted;
};

} // namespace gb::views
