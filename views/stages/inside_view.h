// What happened inside the event under the cursor, step by step: the chain of an attempt, an observer's update, the
// moves of a histogram search. The row of the inner cursor is the current one; a click moves it. Hidden where the event
// has nothing inside.
//
// Thread: the UI thread.
#pragma once

#include "models/table_model.h"
#include "session/session.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace gb::views {

class InsideModel final : public TableModel {
    Q_OBJECT

public:
    enum Column { Number, Sentence, ColumnCount };

    using TableModel::TableModel;
    void setSteps(std::vector<explain::InnerStep> steps);

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_steps.size()); }
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    std::vector<explain::InnerStep> m_steps;
};

class InsideView final : public QWidget {
    Q_OBJECT

public:
    explicit InsideView(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] const QTableView& table() const { return *m_table; }

private:
    void showEventUnderCursor();
    void showInner();

    Session* m_session;
    InsideModel* m_model;
    QLabel* m_title;
    QTableView* m_table;
    bool m_following = false; ///< the current row is being set from the inner cursor
};

} // namespace gb::views
