// One part of explain's report as a panel: a banner above a table. A click selects the row's node and moves the cursor
// to its event.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "session/explanation.h"
#include "tables/explain_rows.h"
#include "tables/filtered_table.h"

#include <QWidget>

class QLabel;

namespace gb::views {

class ExplainView final : public QWidget {
    Q_OBJECT

public:
    ExplainView(const ExplainPart& part, Session* session, Selection* selection, Explanation* explanation,
                QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    [[nodiscard]] const RowsModel& model() const { return *m_model; }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }
    [[nodiscard]] QString banner() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void go(int row);
    void follow();

    ExplainPart m_part;
    Session* m_session;
    Selection* m_selection;
    Explanation* m_explanation;
    RowsModel* m_model;
    FilteredTable* m_table;
    QLabel* m_banner;
    explain::ReportPtr m_shown; ///< whose rows stand there
    bool m_following = false;
};

} // namespace gb::views
